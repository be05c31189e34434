from test_execute import run

from ci.execution import run as execute
from ci.site.facts import chapter_statuses


def test_each_executed_chapter_is_counted(book, edit):
    edit(book.source("book/part/one"), "x = 1 + 1\n", "# Numbers may differ by 1 %.\nx = 1 + 1\n")
    # Exempt on purpose, in a book of the tests: the count has to find it.
    edit(book.source("book/part/one"), "```{code-cell}\nx\n", "```{code-cell}\n:tags: [nbval-ignore-output]\n\nx\n")
    execute.cache_path(book).mkdir(parents=True)
    assert chapter_statuses(book) == []
    run(book)
    (status,) = chapter_statuses(book)
    assert (status.name, status.cells, status.tolerant, status.exempt) == ("book/part/one", 2, 1, 1)
    assert status.seconds > 0
    assert status.environment["date"] >= "2026"
