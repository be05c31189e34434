"""A chapter that needs another framework: executed where it is installed, or else shown as it was executed last."""

import subprocess
import sys

import nbformat
import pytest

from ci.book import Book, BookError
from ci.execution import frameworks, nbval
from ci.execution.cache import code_cells, executed
from ci.notebooks import make
from ci.site.extension import page_tools

CHAPTER = "book/part/one"
TORCH = "a_torch_of_ours"


@pytest.fixture
def book(book, edit):
    """The small book; its chapter imports a module that is not installed."""
    edit(book.root / "_config.yml", "title:", f"frameworks: {{{CHAPTER}: [{TORCH}]}}\ntitle:")
    edit(book.source(CHAPTER), "x = 1 + 1", f"import {TORCH}\nx = {TORCH}.two")
    return Book(book.root)


@pytest.fixture
def install(book):
    """Puts the module where frameworks are."""

    def install(two=2):
        frameworks.folder(book).mkdir(parents=True, exist_ok=True)
        (frameworks.folder(book) / f"{TORCH}.py").write_text(f"two = {two}\n")

    return install


@pytest.fixture
def stored(book, execute, install):
    """The book with its notebook, whose module is gone again."""
    install()
    execute()
    make.write_all(book)
    (frameworks.folder(book) / f"{TORCH}.py").unlink()
    for path in book.built("cache").iterdir():
        path.rename(book.built(path.name))
    return book


def source_notebook(book):
    return nbformat.read(book.notebook(CHAPTER, "en"), as_version=4)


def date(book, day):
    """Gives the notebooks of all languages the day of an earlier execution."""
    for path in (book.notebook(CHAPTER, language) for language in book.languages):
        notebook = nbformat.read(path, as_version=4)
        notebook.metadata["executed"] = day
        path.write_text(make.text_of(notebook))


def test_the_kernel_of_a_chapter_finds_them_and_this_process_does_not(book, execute, install):
    install()
    (result,) = execute()
    assert result.executed and TORCH not in sys.modules
    assert frameworks.variables(book, "book/other") == {}
    assert frameworks.lacking(book, CHAPTER) == []


def test_without_them_the_outputs_are_those_of_the_notebook_and_the_page_says_of_which_day(stored, execute, capsys):
    date(stored, "2026-01-31")
    (result,) = execute()
    assert (result.executed, result.from_notebook, result.error) == (False, True, None)
    assert f"was not executed, for want of {TORCH} ({frameworks.REMEDY})" in capsys.readouterr().out
    shown, kept = map(code_cells, (executed(stored).fetch(CHAPTER).notebook, source_notebook(stored)))
    assert [cell.outputs for cell in shown] == [cell.outputs for cell in kept]
    assert "the outputs are those of 2026-01-31" in page_tools.duration(executed(stored), CHAPTER, str)
    make.check(stored)


def test_with_other_code_than_the_notebook_nothing_can_be_shown(stored, execute, edit):
    edit(stored.source(CHAPTER), "print(", "print(1, ")
    with pytest.raises(BookError, match=f"other code than .*; without {TORCH} this chapter cannot be executed: run "):
        execute()


def test_a_verb_that_must_execute_the_chapter_refuses(stored):
    with pytest.raises(BookError, match=f"{CHAPTER} cannot be executed without {TORCH}: run {frameworks.REMEDY}"):
        frameworks.refuse_lacking(stored, [CHAPTER])


def test_the_day_moves_only_with_the_outputs(stored, execute, install):
    day = source_notebook(stored).metadata["executed"]
    date(stored, "2026-01-31")
    install()
    execute()
    make.write_all(stored)
    assert source_notebook(stored).metadata["executed"] == "2026-01-31"
    install(two=3)
    for cached in stored.built("cache").iterdir():
        cached.rename(stored.built(f"{cached.name}.old"))
    execute()
    make.write_all(stored)
    assert source_notebook(stored).metadata["executed"] == day


def test_a_chapter_that_needs_none_has_no_day(book):
    assert make.day_of_outputs(book, "book/other", None) is None


def test_nbval_skips_what_its_kernel_cannot_import(stored, tmp_path):
    hook = f"""\
from ci.book import Book
from ci.execution import nbval
from ci.execution.nbval import *
from pathlib import Path
nbval.here = lambda: Book(Path({str(stored.root)!r}))
"""
    (stored.root / "notebooks" / "conftest.py").write_text(hook)
    command = [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", "--rootdir", stored.root, "--nbval"]
    root = nbval.here().root

    def validate():
        return subprocess.run(
            [*command, stored.notebook(CHAPTER, "en")], cwd=root, capture_output=True, text=True, check=False
        ).stdout

    said = validate()
    assert "2 skipped" in said and f"this Python has no {TORCH} ({frameworks.REMEDY})" in said, said
    (frameworks.folder(stored) / f"{TORCH}.py").write_text("two = 2\n")
    assert "2 passed" in validate()
