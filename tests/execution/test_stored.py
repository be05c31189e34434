import nbformat
import pytest

from ci.book import BookError
from ci.execution import stored
from ci.execution.cache import Cache, code_cells, executed, read
from ci.site.extension.pages import page_tools

CHAPTER = "book/part/one"


def store(book):
    """Gives the chapter a notebook with outputs that no execution would give."""
    notebook = read(book, CHAPTER)
    for count, cell in enumerate(code_cells(notebook), start=1):
        cell.execution_count = count
        cell.outputs = [nbformat.v4.new_output("stream", text="as stored\n")]
    path = book.notebook(CHAPTER, "en")
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)


@pytest.fixture
def stored_book(book):
    store(book)
    return book


def test_outputs_are_those_of_the_notebook_and_nothing_is_executed(stored_book, edit):
    edit(stored_book.source(CHAPTER), "Some text.", "Some other text.")
    cache = Cache(stored_book, stored.fill(stored_book))
    notebook = cache.fetch(CHAPTER).notebook
    assert {cell.outputs[0].text for cell in code_cells(notebook)} == {"as stored\n"}
    (file,) = cache.path.rglob("base.ipynb")
    before = file.read_bytes()
    stored.fill(stored_book)
    assert file.read_bytes() == before  # with other ids, were it stored again


def test_a_chapter_with_other_code_than_its_notebook_is_named(stored_book, edit):
    edit(stored_book.source(CHAPTER), "x = 1 + 1", "x = 2")
    with pytest.raises(BookError, match=r"book/part/one.md has other code than notebooks/en/part/one.ipynb: run"):
        stored.fill(stored_book)


def test_a_chapter_without_its_notebook_is_named(stored_book):
    stored_book.notebook(CHAPTER, "en").unlink()
    with pytest.raises(BookError, match=r"there is no notebooks/en/part/one.ipynb: run"):
        stored.fill(stored_book)


def test_a_damaged_entry_is_taken_from_the_notebook_again(stored_book, capsys):
    cache = Cache(stored_book, stored.fill(stored_book))
    (file,) = cache.path.rglob("base.ipynb")
    file.write_bytes(file.read_bytes()[:-100])
    stored.fill(stored_book)
    assert "taken from the notebook again" in capsys.readouterr().out
    assert cache.fetch(CHAPTER).notebook.cells[1].outputs[0].text == "as stored\n"


def test_a_chapter_that_fails_has_the_outputs_of_its_notebook_if_the_others_keep_going(
    book, execute, edit, monkeypatch
):
    edit(book.source(CHAPTER), "x = 1 + 1", "import os\n\nx = 1 / int(os.environ['DIVISOR'])")
    store(book)
    monkeypatch.setenv("DIVISOR", "0")
    with pytest.raises(BookError, match="ZeroDivisionError"):
        execute()
    (failed,) = execute(keep_going=True)
    assert "code cell 1: ZeroDivisionError" in str(failed.error) and not failed.executed
    entry = executed(book).fetch(CHAPTER)
    assert [cell.outputs[0].text for cell in code_cells(entry.notebook)] == ["as stored\n"] * 2
    assert "not run in this build" in page_tools.duration(executed(book), CHAPTER, str)
    monkeypatch.setenv("DIVISOR", "1")
    (repaired,) = execute()
    assert repaired.executed and executed(book).fetch(CHAPTER).was_executed
    assert "to run" in page_tools.duration(executed(book), CHAPTER, str)


def test_a_kernel_that_dies_twice_is_an_error_of_its_chapter_alone(book, execute, edit):
    edit(book.source(CHAPTER), "x = 1 + 1", "import os; os._exit(1)")
    store(book)
    (failed,) = execute(keep_going=True)
    assert "the kernel died" in str(failed.error)
