import nbformat
import pytest
from jupyter_cache import get_cache

from ci.book import BookError
from ci.execution import run as execute
from ci.execution import stored

CHAPTER = "book/part/one"


@pytest.fixture
def stored_book(book):
    """A book whose chapter has a notebook with outputs that no execution would give."""
    notebook = execute.read(book, CHAPTER)
    for count, cell in enumerate(execute.code_cells(notebook), start=1):
        cell.execution_count = count
        cell.outputs = [nbformat.v4.new_output("stream", text="as stored\n")]
    path = book.notebook(CHAPTER, "en")
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)
    return book


def test_outputs_are_those_of_the_notebook_and_nothing_is_executed(stored_book, edit):
    edit(stored_book.source(CHAPTER), "Some text.", "Some other text.")
    stored.fill(stored_book)
    cache = get_cache(stored.stored_path(stored_book))
    _, notebook = cache.merge_match_into_notebook(execute.read(stored_book, CHAPTER))
    assert {cell.outputs[0].text for cell in execute.code_cells(notebook)} == {"as stored\n"}
    (record,) = cache.list_cache_records()
    stored.fill(stored_book)
    assert [again.pk for again in cache.list_cache_records()] == [record.pk]


def test_a_chapter_with_other_code_than_its_notebook_is_named(stored_book, edit):
    edit(stored_book.source(CHAPTER), "x = 1 + 1", "x = 2")
    with pytest.raises(BookError, match=r"book/part/one.md has other code than notebooks/en/part/one.ipynb: run"):
        stored.fill(stored_book)
