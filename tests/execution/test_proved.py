"""What validation has found equal is what the book is built from."""

import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_output

from ci.book import here
from ci.execution import compiled, proved
from ci.execution.cache import code_cells, executed, read

CHAPTER = "book/part/one"
PRINTED = [new_output("stream", name="stdout", text="two is 2\n")]
RESULT = [new_output("execute_result", data={"text/plain": "2"}, execution_count=2)]
LANGUAGE = {"name": "python"}
KERNEL = {"name": "python3", "display_name": "Python 3"}


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


CONFTEST = """\
from pathlib import Path

from ci.book import Book
from ci.execution import nbval
from ci.execution.nbval import pytest_addoption, pytest_collect_file, pytest_configure, pytest_unconfigure

nbval.here = lambda: Book(Path(__file__).parents[1])
"""


@pytest.mark.parametrize("options, stored", [([], False), (["--store"], True), (["--store", "-n", "1"], True)])
def test_validation_stores_what_it_was_asked_to(book, notebook, execute, options, stored):
    (book.root / "notebooks" / "conftest.py").write_text(CONFTEST)
    validate(book, notebook, options, 0)
    assert bool(executed(book).fetch(CHAPTER)) == stored
    (result,) = execute()
    assert result.executed != stored
    assert code_cells(executed(book).fetch(CHAPTER).notebook)[1].outputs[0].data["text/plain"] == "2"


def test_a_notebook_with_a_cell_that_is_not_equal_is_not_stored(book, notebook, edit):
    (book.root / "notebooks" / "conftest.py").write_text(CONFTEST)
    edit(notebook, "two is 2", "two is 3")
    validate(book, notebook, ["--store"], 1)
    assert executed(book).fetch(CHAPTER) is None


COMPILES = """\
import os, signal, time
from pathlib import Path

size = Path(os.environ["JAX_COMPILATION_CACHE_DIR"], "a-cache").write_bytes(b"a program")
"""


DIE = "os.kill(os.getpid(), signal.SIGKILL)"
INTERRUPT = "os.kill(os.getppid(), signal.SIGINT); time.sleep(60)"


@pytest.mark.parametrize(
    "then, options, status, used",
    [
        ("x = 1", [], pytest.ExitCode.OK, True),
        ("1 / 0", [], pytest.ExitCode.TESTS_FAILED, True),
        (DIE, [], pytest.ExitCode.TESTS_FAILED, False),
        (DIE, ["-n", "1"], pytest.ExitCode.TESTS_FAILED, False),
        (INTERRUPT, [], pytest.ExitCode.INTERRUPTED, False),
    ],
    ids=["ends", "fails", "dies twice", "dies twice under a worker", "is interrupted"],
)
def test_what_is_compiled_is_used_again_unless_half_written(book, notebook, then, options, status, used):
    (book.root / "notebooks" / "conftest.py").write_text(CONFTEST)
    cells = [nbformat.v4.new_code_cell(code, execution_count=1) for code in (COMPILES, then)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL}), notebook)
    validate(book, notebook, ["--store", *options], status)
    compiled.begin(book)
    assert (compiled.folder(book) / "a-cache").exists() == used


def validate(book, notebook, options, status):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", book.root, "--nbval", *options]
    done = subprocess.run([*command, notebook], cwd=here().root, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
