from ci.execution.cache import executed
from ci.site.extension.pages.page_tools import running_minutes
from ci.site.extension.pages.tables import Chapters

CHAPTER = "book/part/one"


def test_cells_with_a_tolerance_and_without_a_comparison_are_counted(book, execute, edit):
    edit(book.source(CHAPTER), "x = 1 + 1\n", ":tolerance: 1%\n\nx = 1 + 1\n")
    # Exempt on purpose, in a book of the tests: the count has to find it.
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", "```{code-cell}\n:tags: [nbval-ignore-output]\n\nx\n")
    execute()
    status = Chapters.status(CHAPTER, executed(book).fetch(CHAPTER))
    assert (status.name, status.cells, status.tolerant, status.exempt) == (CHAPTER, 2, 1, 1)
    assert status.seconds > 0
    assert status.date >= "2026"


def test_running_takes_as_long_as_it_took_here(book, execute):
    assert running_minutes(executed(book).fetch(CHAPTER)) is None
    execute()
    assert running_minutes(executed(book).fetch(CHAPTER)) == 1
