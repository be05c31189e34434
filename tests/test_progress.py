from ci.catalogues import progress
from ci.catalogues.po import CONTENT_TYPE

HEAD = (
    f'msgid ""\nmsgstr "Content-Type: {CONTENT_TYPE}\\n"\n"Last-Translator: Kim <kim@example.org>\\n"\n'
    '"PO-Revision-Date: 2026-11-21 12:00+0900\\n"\n"X-Complete: yes\\n"\n\n'
)


def test_entries_are_counted_and_names_shown_without_addresses(book):
    path = book.catalogue("book/index", "ko")
    path.parent.mkdir(parents=True)
    path.write_text(
        HEAD + 'msgid "a"\nmsgstr "가"\n\n#, fuzzy\nmsgid "b"\nmsgstr "나"\n\nmsgid "c"\nmsgstr ""\n', encoding="utf-8"
    )
    first, second = progress.all_progress(book, book.pages)
    assert (first.page, first.translated, first.fuzzy, first.total, first.percent) == ("book/index", 1, 1, 3, 33)
    assert (first.translator, first.reviewer, first.date, first.complete) == ("Kim", "", "2026-11-21", True)
    assert (second.total, second.percent, second.complete) == (0, 0, False)
