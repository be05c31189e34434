"""What validation has found equal is what the book is built from."""

import nbformat
import pytest
from nbformat.v4 import new_output

from ci.execution import proved
from ci.execution.cache import code_cells, executed, read

CHAPTER = "book/part/one"
PRINTED = [new_output("stream", name="stdout", text="two is 2\n")]
RESULT = [new_output("execute_result", data={"text/plain": "2"}, execution_count=2)]
LANGUAGE = {"name": "python"}


@pytest.fixture
def notebook(book):
    """The notebook of the chapter of the small book, with its outputs."""
    made, path = read(book, CHAPTER), book.notebook(CHAPTER, "en")
    for cell, outputs in zip(code_cells(made), (PRINTED, RESULT), strict=True):
        cell.execution_count, cell.outputs = 1, outputs
    path.parent.mkdir(parents=True)
    nbformat.write(made, path)
    return path


def test_the_outputs_are_those_that_execution_would_have_stored(book, notebook, execute):
    proved.store(book, notebook, [PRINTED, RESULT], LANGUAGE, 1.5)
    (result,) = execute()
    assert (result.executed, result.seconds) == (False, 1.5)
    stored = executed(book).fetch(CHAPTER)
    executed(book).entries.clear_cache()
    (result,) = execute()
    assert result.executed
    fresh = executed(book).fetch(CHAPTER)
    for one, other in zip(code_cells(stored.notebook), code_cells(fresh.notebook), strict=True):
        assert (one.outputs, one.execution_count) == (other.outputs, other.execution_count)
    assert stored.data.keys() == fresh.data.keys()


def test_a_notebook_of_other_code_is_not_stored(book, notebook, edit):
    edit(book.source(CHAPTER), "x = 1 + 1", "x = 2")
    proved.store(book, notebook, [PRINTED, RESULT], LANGUAGE, 1.5)
    assert executed(book).fetch(CHAPTER) is None


def test_a_notebook_of_no_chapter_is_not_stored(book, notebook):
    other = notebook.rename(notebook.with_name("two.ipynb"))
    proved.store(book, other, [PRINTED, RESULT], LANGUAGE, 1.5)
    assert executed(book).fetch(CHAPTER) is None
