"""A sabotage counts as noticed if it changes the output that stands for the claim, and nothing else does."""

import asyncio
from copy import deepcopy

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from ci.book import BookError
from ci.checks import sabotage
from ci.execution import run
from ci.notebooks.sabotages import SABOTAGES, Sabotage
from tests.execution.kernels import in_this_process

CHAPTER = "book/part/one"
SOURCES = ("x = 1 + 1", "print('two is', x)", "print(x > 0)", "y = 1 / x", "print('the end')")
LIST = """\
- cause: the second one
  replace: 1 + 1
  by: 1 + 2
  noticed_by: print(
- cause: nothing
  replace: 1 + 1
  by: "2"
  noticed_by: print(
"""


@pytest.fixture
def chapter(monkeypatch):
    """An executed chapter."""
    monkeypatch.setattr(sabotage, "run", in_this_process)
    chapter = new_notebook(cells=[new_markdown_cell("# One"), *map(new_code_cell, SOURCES)])
    asyncio.run(in_this_process(chapter))
    return chapter


def try_one(chapter, one):
    return asyncio.run(sabotage.attempt(chapter, 1, one))


@pytest.mark.parametrize(
    "by, noticed_by, error, reason",
    [
        ("1 + 2", "'two is'", "", ""),
        ("2", "'two is'", "", "code cell 2 shows the same as before"),
        ("1 + 2", "x > 0", "", "code cell 3 shows the same as before"),
        ("0", "1 / x", "ZeroDivisionError", ""),
        ("0", "1 / x", "", "code cell 4 raises ZeroDivisionError: division by zero"),
        ("0", "1 / x", "TypeError", "code cell 4 raises ZeroDivisionError: division by zero"),
        ("0", "the end", "ZeroDivisionError", "code cell 4 raises ZeroDivisionError: division by zero"),
        ("1", "1 / x", "ZeroDivisionError", "code cell 4 does not raise ZeroDivisionError"),
        ("0", "x > 0", "", ""),
    ],
)
def test_only_the_named_cell_can_notice_and_later_cells_are_not_executed(chapter, by, noticed_by, error, reason):
    assert try_one(chapter, Sabotage("the addition", "1 + 1", by, noticed_by, error)) == reason


def test_an_error_that_the_chapter_shows_as_an_output_counts(chapter, monkeypatch):
    async def tolerant(notebook, *arguments, **variables):
        notebook.cells[-1].outputs = [new_output("error", ename="TypeError", evalue="", traceback=[])]

    monkeypatch.setattr(sabotage, "run", tolerant)
    for error, reason in (("TypeError", ""), ("ValueError", "code cell 2 does not raise ValueError")):
        assert try_one(deepcopy(chapter), Sabotage("", "1 + 1", "", "'two is'", error)) == reason


def test_a_cell_that_never_ends_has_not_noticed(chapter, monkeypatch):
    async def endless(*arguments, **variables):
        raise BookError("code cell 2: not finished after 1 seconds\n\nits source")

    monkeypatch.setattr(sabotage, "run", endless)
    said = try_one(chapter, Sabotage("", "1 + 1", "", "'two is'"))
    assert said == "code cell 2: not finished after 1 seconds"


def test_a_cell_that_differs_by_itself_cannot_notice(chapter):
    assert asyncio.run(sabotage.unsteady(chapter, CHAPTER, 1)) == set()
    chapter.cells[2].outputs = []
    assert asyncio.run(sabotage.unsteady(chapter, CHAPTER, 1)) == {1}


def test_a_chapter_without_a_list_is_reported(book):
    with pytest.raises(BookError, match=rf"there is no list of sabotages: write {CHAPTER}\.sabotage\.yml"):
        sabotage.report(book, [])


def test_of_two_sabotages_the_vacuous_one_is_named_and_the_result_is_kept(book, monkeypatch, capsys):
    for module in (run, sabotage):
        monkeypatch.setattr(module, "run", in_this_process)
    SABOTAGES.path(book, CHAPTER).write_text(LIST, encoding="utf-8")
    assert sabotage.report(book, [CHAPTER]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == f"{CHAPTER}, nothing: code cell 1 shows the same as before"
    result = SABOTAGES.results(book)[CHAPTER]
    assert (result.counts, result.digest) == ({"listed": 2, "noticed": 1}, SABOTAGES.digest(book, CHAPTER))
