import pytest

from ci.execution.cache import cache_path, executed
from ci.site import facts

CHAPTER = "book/part/one"


def test_each_executed_chapter_is_counted(book, execute, edit):
    edit(book.source(CHAPTER), "x = 1 + 1\n", "# Numbers may differ by 1 %.\nx = 1 + 1\n")
    # Exempt on purpose, in a book of the tests: the count has to find it.
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", "```{code-cell}\n:tags: [nbval-ignore-output]\n\nx\n")
    cache_path(book).mkdir(parents=True)
    assert facts.chapter_statuses(executed(book)) == []
    execute()
    (status,) = facts.chapter_statuses(executed(book))
    assert (status.name, status.cells, status.tolerant, status.exempt) == (CHAPTER, 2, 1, 1)
    assert status.seconds > 0
    assert status.environment["date"] >= "2026"


def test_reading_takes_longer_the_more_there_is_to_read(book, edit):
    short = facts.reading_minutes(book, CHAPTER)
    edit(book.source(CHAPTER), "Some text.", "Some text. " * 2000)
    assert short == 1
    assert facts.reading_minutes(book, CHAPTER) == round(4000 / facts.WORDS_A_MINUTE)


@pytest.fixture
def sections(book, edit):
    """Two sections of 500 and 10 words in the chapter, which has others before its first one."""
    text = f"## Long\n\n{'word ' * 498}\n\n```\n## no heading\n```\n\nShort\n-----\n\n{'word ' * 5}\n\n### Below it\n"
    edit(book.source(CHAPTER), "Some text.\n", f"Some text.\n\n{text}")


def test_each_section_is_counted_with_its_code_and_the_opening_with_the_first(book, sections):
    opening, code = len(["One", "Some", "text"]), len(["x", "1", "1", "print", "two", "is", "x"]) + len(["x"])
    assert facts.section_words(book, CHAPTER) == [opening + 1 + 498 + 2, 1 + 5 + 2 + code]


def test_sections_add_up_to_the_chapter_and_none_takes_no_time(book, sections):
    assert facts.section_minutes(book, CHAPTER) == [2, 1]
    assert facts.reading_minutes(book, CHAPTER) == 3


def test_running_takes_as_long_as_it_took_here(book, execute):
    assert facts.running_minutes(executed(book), CHAPTER) is None
    execute()
    assert facts.running_minutes(executed(book), CHAPTER) == 1
