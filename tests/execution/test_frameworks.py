"""A chapter that needs another framework: executed where it is installed, or else shown as it was executed last."""

import importlib.util
import shutil
from functools import partial

import nbformat
import pytest

from ci.book import Book, BookError
from ci.book import install as packages
from ci.checks import prove
from ci.execution import frameworks, nbval
from ci.execution.cache import code_cells, executed, read
from ci.notebooks import make, trials
from ci.site.extension.application import Chapters
from ci.site.extension.pages import page_tools
from ci.site.extension.pages.tables import day as shown_day

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
    """Puts the module where frameworks are, as their installation does."""

    def install(two=2):
        place(book).mkdir(parents=True, exist_ok=True)
        (place(book) / f"{TORCH}.py").write_text(f"two = {two}\n")
        # Python tells a compiled module from an older one by the second and the size alone.
        shutil.rmtree(place(book) / "__pycache__", ignore_errors=True)
        lock = book.root / packages.FRAMEWORKS_LOCK
        lock.write_text(f"{TORCH}=={two}\n")
        (place(book) / "installed.txt").write_text(lock.read_text())

    return install


def place(book):
    return packages.frameworks(book.root)


@pytest.fixture
def stored(book, kernels, execute, install):
    """The book with its notebook, whose module is gone again."""
    install()
    execute()
    make.write_all(book)
    shutil.rmtree(book.built("cache"))
    shutil.rmtree(place(book))
    return book


def source_notebook(book):
    return nbformat.read(book.notebook(CHAPTER, "en"), as_version=4)


def date(book, day):
    """Gives the notebooks of all languages the day of an earlier execution."""
    for path in (book.notebook(CHAPTER, language) for language in book.languages):
        notebook = nbformat.read(path, as_version=4)
        notebook.metadata["executed"]["date"] = day
        path.write_text(make.text_of(notebook))


def day(book):
    return source_notebook(book).metadata["executed"]["date"]


def test_the_kernel_of_a_chapter_finds_them_and_this_process_does_not(book, execute, install):
    install()
    (result,) = execute()
    assert result.source == "executed" and importlib.util.find_spec(TORCH) is None
    assert frameworks.variables(book, "book/other") == {}
    assert frameworks.lacking(book, CHAPTER) == []


def test_half_of_an_installation_or_an_older_one_is_none(book, install):
    install()
    (place(book) / "installed.txt").unlink()
    assert frameworks.lacking(book, CHAPTER) == [TORCH]
    install()
    (book.root / packages.FRAMEWORKS_LOCK).write_text("newer")
    assert frameworks.lacking(book, CHAPTER) == [TORCH]


def test_a_list_in_another_form_is_an_error(book, edit):
    edit(book.root / "_config.yml", f"[{TORCH}]", TORCH)
    with pytest.raises(BookError, match="_config.yml: write `frameworks:` as lines such as"):
        frameworks.needed(Book(book.root), CHAPTER)


def test_without_them_the_outputs_are_those_of_the_notebook_and_the_page_says_of_which_day(stored, execute, capsys):
    date(stored, "2026-01-31")
    (result,) = execute()
    assert (result.source, result.error) == ("from notebook", None)
    assert f"was not executed, for want of {TORCH} ({frameworks.REMEDY})" in capsys.readouterr().out
    shown, kept = map(code_cells, (executed(stored).fetch(CHAPTER).notebook, source_notebook(stored)))
    assert [cell.outputs for cell in shown] == [cell.outputs for cell in kept]
    chapters = Chapters(stored, partial(read, stored), executed(stored).fetch)
    assert "the outputs are those of 2026-01-31" in page_tools.duration(chapters, CHAPTER, str)
    assert shown_day(executed(stored).fetch(CHAPTER)) == "2026-01-31"
    make.check(stored)


@pytest.mark.parametrize("in_notebook", [False, True], ids=["in the chapter", "in Jupyter, and not run"])
def test_what_has_other_code_than_was_executed_is_not_shown(stored, execute, edit, in_notebook):
    edit(stored.source(CHAPTER), "print(", "print(1, ")
    if in_notebook:  # from where it was brought into the chapter; Jupyter keeps the outputs of the old code
        edit(stored.notebook(CHAPTER, "en"), "print(", "print(1, ")
    with pytest.raises(BookError, match=f"other code than was executed last; without {TORCH} it cannot be: run "):
        execute()


def test_a_verb_that_must_execute_the_chapter_refuses(stored):
    trials.path(stored, CHAPTER).write_text(f"- {{cause: a, replace: {TORCH}.two, by: 2, noticed_by: print(}}\n")
    with pytest.raises(BookError, match=f"{CHAPTER} cannot be executed without {TORCH}: run {frameworks.REMEDY}"):
        prove.report(stored, [CHAPTER])


def test_the_day_moves_only_with_the_outputs(stored, kernels, execute, install):
    today = day(stored)
    date(stored, "2026-01-31")
    install()
    execute()
    make.write_all(stored)
    assert day(stored) == "2026-01-31"
    kernels.printed = "two is 3\n"
    execute(anew=True)
    make.write_all(stored)
    assert day(stored) == today


@pytest.mark.parametrize(
    "options, remedy",
    [
        ([nbval.EXECUTED], f": run {frameworks.REMEDY}"),
        pytest.param([], f": run {frameworks.REMEDY}", marks=pytest.mark.slow),
        pytest.param(["--nbval-kernel-name", "python3"], "", marks=pytest.mark.slow),
    ],
)
def test_nbval_skips_what_its_kernel_cannot_import(stored, validate, options, remedy):
    reports = validate(stored, stored.notebook(CHAPTER, "en"), *options)
    assert reports.outcomes["code cell 1"] == "skipped"
    assert reports.said["code cell 1"] == f"Skipped: not executed, since it needs {TORCH}{remedy}"


@pytest.mark.slow
def test_nbval_executes_the_notebooks_of_all_languages_with_the_frameworks(stored, validate, install):
    install()
    assert validate(stored, stored.notebook(CHAPTER, "ko")).outcomes["code cell 1"] == "passed"
