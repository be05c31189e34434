from ci.catalogues import translation_progress

HEADERS = {
    "Last-Translator": "Kim <kim@example.org>",
    "PO-Revision-Date": "2026-11-21 12:00+0900",
    "X-Complete": "yes",
}


def test_entries_are_counted_and_names_shown_without_addresses(book, catalogue):
    entries = 'msgid "a"\nmsgstr "가"\n\n#, fuzzy\nmsgid "b"\nmsgstr "나"\n\nmsgid "c"\nmsgstr ""\n'
    catalogue(book.catalogue("book/index", "ko"), entries, HEADERS)
    first, second = translation_progress.all_progress(book, book.pages)
    assert (first.page, first.translated, first.fuzzy, first.total, first.percent) == ("book/index", 1, 1, 3, 33)
    assert (first.translator, first.reviewer, first.date, first.complete) == ("Kim", "", "2026-11-21", True)
    assert (second.total, second.percent, second.complete) == (0, 0, False)
