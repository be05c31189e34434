import asyncio

from ci import execute
from ci.status import chapter_statuses


class NoBars:
    def start(self, name, cells):
        return lambda: None


def test_each_executed_chapter_is_counted(book, edit):
    edit(book.source("book/part/one"), "x = 1 + 1\n", "# Numbers may differ by 1 %.\nx = 1 + 1\n")
    edit(book.source("book/part/one"), "```{code-cell}\nx\n", "```{code-cell}\n:tags: [nbval-ignore-output]\n\nx\n")
    execute.cache_path(book).mkdir(parents=True)
    assert chapter_statuses(book) == []
    asyncio.run(execute.execute_all(book, book.chapters, NoBars(), 1))
    (status,) = chapter_statuses(book)
    assert (status.name, status.cells, status.tolerant, status.exempt) == ("book/part/one", 2, 1, 1)
    assert status.seconds > 0
    assert status.environment["date"] >= "2026"
