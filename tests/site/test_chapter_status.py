from ci.execution.cache import cache_path, executed
from ci.site import chapter_status

CHAPTER = "book/part/one"


def test_each_executed_chapter_is_counted(book, execute, edit):
    edit(book.source(CHAPTER), "x = 1 + 1\n", "# Numbers may differ by 1 %.\nx = 1 + 1\n")
    # Exempt on purpose, in a book of the tests: the count has to find it.
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", "```{code-cell}\n:tags: [nbval-ignore-output]\n\nx\n")
    cache_path(book).mkdir(parents=True)
    assert chapter_status.chapter_statuses(executed(book)) == []
    execute()
    (status,) = chapter_status.chapter_statuses(executed(book))
    assert (status.name, status.cells, status.tolerant, status.exempt) == (CHAPTER, 2, 1, 1)
    assert status.seconds > 0
    assert status.date >= "2026"


def test_running_takes_as_long_as_it_took_here(book, execute):
    assert chapter_status.running_minutes(executed(book), CHAPTER) is None
    execute()
    assert chapter_status.running_minutes(executed(book), CHAPTER) == 1
