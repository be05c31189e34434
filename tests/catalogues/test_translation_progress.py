from ci.catalogues import translation_progress
from ci.catalogues.translation_progress import Progress

HEADERS = {
    "Last-Translator": "Kim <kim@example.org>",
    "PO-Revision-Date": "2026-11-21 12:00+0900",
    "X-Complete": "yes",
}


def test_entries_are_counted_and_names_shown_without_addresses(book, catalogue):
    entries = 'msgid "a"\nmsgstr "가"\n\n#, fuzzy\nmsgid "b"\nmsgstr "나"\n\nmsgid "c"\nmsgstr ""\n'
    catalogue(book.catalogue("book/index", "ko"), entries, HEADERS)
    index, chapter = translation_progress.all_progress(book, book.pages)
    assert index == Progress("book/index", "ko", 1, 1, 3, True, "Kim", "", "2026-11-21")
    assert (index.untranslated, index.percent) == (1, 33)
    assert (chapter, chapter.percent) == (Progress("book/part/one", "ko"), 0)
