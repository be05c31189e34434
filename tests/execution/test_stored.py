from functools import partial

import pytest

from ci.book import BookError
from ci.execution import stored
from ci.execution.cache import Cache, code_cells, executed, read
from ci.site.extension.application import Chapters
from ci.site.extension.pages import page_tools

CHAPTER = "book/part/one"


@pytest.fixture
def stored_book(book, store):
    store(CHAPTER)
    return book


def test_outputs_are_those_of_the_notebook_and_nothing_is_executed(stored_book, edit):
    edit(stored_book.source(CHAPTER), "Some text.", "Some other text.")
    cache = Cache(stored_book, stored.fill(stored_book))
    notebook = cache.fetch(CHAPTER).notebook
    assert {cell.outputs[0].text for cell in code_cells(notebook)} == {"as stored\n"}


def test_a_chapter_with_other_code_than_its_notebook_is_named(stored_book, edit):
    edit(stored_book.source(CHAPTER), "x = 1 + 1", "x = 2")
    with pytest.raises(BookError, match=r"book/part/one.md has other code than notebooks/en/part/one.ipynb: run"):
        stored.fill(stored_book)


def test_a_notebook_that_is_missing_or_was_never_executed_is_named(stored_book, edit):
    edit(stored_book.notebook(CHAPTER, "en"), '"execution_count": 2', '"execution_count": null')
    with pytest.raises(BookError, match=r"notebooks/en/part/one.ipynb, code cell 2: never executed: run"):
        stored.fill(stored_book)
    stored_book.notebook(CHAPTER, "en").unlink()
    with pytest.raises(BookError, match=r"there is no notebooks/en/part/one.ipynb: run"):
        stored.fill(stored_book)


def test_the_page_of_a_chapter_that_failed_says_so_until_it_is_executed(stored_book, kernels, execute):
    kernels.errors[CHAPTER] = [BookError("it raises")]
    execute(keep_going=True)
    chapters = Chapters(stored_book, partial(read, stored_book), executed(stored_book).fetch)
    assert "not run in this build" in page_tools.duration(chapters, CHAPTER, str)
    execute()
    assert "to run" in page_tools.duration(chapters, CHAPTER, str)
