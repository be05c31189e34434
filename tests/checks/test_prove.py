"""A sabotage must change the output that is named; a lesson must be true, in the chapter and under each variation."""

import asyncio
from copy import deepcopy

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from ci.book import BookError
from ci.checks import prove
from ci.notebooks import trials
from ci.notebooks.trials import Lesson, Sabotage, Trials
from tests.execution.kernels import in_this_process

CHAPTER = "book/part/one"
SOURCES = ("x = 1 + 1", "print('two is', x)", "y = 1 / x", "print('the end')")
LIST = """\
- lesson: Some text.
  shown_by: 1 + 1
  holds: x < 4
  under:
    - {change: one more, replace: 1 + 1, by: 1 + 2}
    - {change: two more, replace: 1 + 1, by: 1 + 3}
- cause: the second one
  replace: 1 + 1
  by: 1 + 2
  noticed_by: print(
- cause: nothing
  replace: 1 + 1
  by: "2"
  noticed_by: print(
- lesson: Some
  shown_by: y =
  holds: y > 0
  under:
    - {change: x is three, replace: 1 + 1, by: 1 + 2}
- lesson: text.
  shown_by: 1 + 1
  holds: __import__("numpy").float32(x) > 1
  under:
    - {change: x is three, replace: 1 + 1, by: 1 + 2}
"""


@pytest.fixture
def complain(monkeypatch):
    """Tries sabotages and lessons in a chapter, with another way to execute it; returns the lines of complaints."""

    def complain(sabotages=(), lessons=(), run=in_this_process):
        executed = new_notebook(cells=[new_markdown_cell("# One"), *map(new_code_cell, SOURCES)])
        asyncio.run(in_this_process(executed))
        monkeypatch.setattr(prove, "run", run)

        async def execute(changes, asked, last, patience=5):
            return await prove.execute(deepcopy(executed), changes, asked, last, patience)

        listed = Trials([*sabotages], [*lessons])
        return [line for _trial, line in asyncio.run(prove.complaints(executed, listed, execute))]

    return complain


@pytest.mark.parametrize(
    "by, noticed_by, error, reason",
    [
        ("1 + 2", "'two is'", "", ""),
        ("2", "'two is'", "", "code cell 2 shows the same as before"),
        ("0", "1 / x", "ZeroDivisionError", ""),
        ("0", "the end", "ZeroDivisionError", "code cell 3 raises ZeroDivisionError: division by zero"),
        ("1", "1 / x", "ZeroDivisionError", "code cell 3 does not raise ZeroDivisionError"),
        ("0", "'two is'", "", ""),
    ],
)
def test_only_the_named_cell_can_notice_and_later_cells_are_not_executed(complain, by, noticed_by, error, reason):
    assert complain([Sabotage("a", "1 + 1", by, noticed_by, error)]) == ([f"a: {reason}"] if reason else [])


def changed_only(then):
    """Return a way to execute that does something else if the chapter was changed."""

    async def run(notebook, name, timeout, *arguments, **variables):
        if notebook.cells[1].source == SOURCES[0]:
            return await in_this_process(notebook)
        return then(notebook, timeout)

    return run


def end(_notebook, timeout):
    raise BookError(f"code cell 2: not finished after {timeout} seconds\n\nits source")


def show_an_error(notebook, _timeout):
    notebook.cells[2].outputs = [new_output("error", ename="TypeError", evalue="", traceback=[])]


def test_an_error_that_the_chapter_shows_as_an_output_counts(complain):
    tried = [Sabotage("a", "1 + 1", "", "'two is'", error) for error in ("TypeError", "ValueError")]
    assert complain(tried, run=changed_only(show_an_error)) == ["a: code cell 2 does not raise ValueError"]


def lesson(holds, shown_by="1 + 1", *variations):
    return Lesson("It\nholds", shown_by, holds, tuple(trials.Variation("b", *texts) for texts in variations))


def test_a_cell_that_never_ends_shows_nothing_and_has_five_times_the_time_only_for_lessons(complain):
    tried = [Sabotage("a", "1 + 1", "", "'two is'")], [lesson("x > 0", "1 + 1", ("1 + 1", "2"))]
    assert complain(*tried, run=changed_only(end)) == [
        "a: code cell 2: not finished after 1 seconds",
        '"It holds", b: code cell 2: not finished after 5 seconds',
    ]


def test_a_cell_that_differs_by_itself_cannot_notice(complain):
    async def unsteady(notebook, *arguments, **variables):
        await in_this_process(notebook)
        notebook.cells[2].outputs = []

    said = "a: code cell 2 shows something else without any sabotage"
    assert complain([Sabotage("a", "1 + 1", "1", "'two is'")], run=unsteady) == [said]


def test_an_unchanged_chapter_that_cannot_be_executed_shows_nothing(complain):
    async def fail(*arguments, **variables):
        raise BookError("code cell 2: the kernel died (out of memory?)\n\nits messages")

    said = "the unchanged chapter: code cell 2: the kernel died (out of memory?)"
    tried = [Sabotage("a", "1 + 1", "1", "'two is'")], [lesson("x > 0")]
    assert complain(*tried, run=fail) == [said, said]


@pytest.mark.parametrize(
    "holds, said",
    [
        ("x == 3", "it is False"),
        ("__import__('numpy').array([x == 3]).all()", "it is np.False_"),
        ("x", "it is 2, neither True nor False: write a comparison, in bool() if it is of arrays"),
        ("z > 1", "it raises NameError: name 'z' is not defined"),
        ("print('words') is None", ""),
    ],
)
def test_only_true_holds(complain, holds, said):
    assert complain([], [lesson(holds)]) == ([f'"It holds", the unchanged chapter: {said}'] if said else [])


def test_a_question_leaves_the_names_of_the_chapter_alone(complain):
    first, second = lesson("[x := 5, z := 6] == [5, 6]"), lesson("(x, 'z' in globals()) == (2, False)", "y =")
    assert complain([], [first, second]) == []


def test_a_book_without_a_list_is_reported(book):
    with pytest.raises(BookError, match=rf"there is no list of trials: write {CHAPTER}\.trials\.yml"):
        prove.report(book, [])


def test_in_kernels_each_entry_that_fails_is_named_in_order_and_the_result_is_kept(book, edit, capsys):
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", "```{code-cell}\ny = 10 / (3 - x)\n")
    trials.path(book, CHAPTER).write_text(LIST, encoding="utf-8")
    assert prove.report(book, [CHAPTER]) == 1
    assert capsys.readouterr().out.splitlines()[-3:] == [
        f"{CHAPTER}, nothing: code cell 1 shows the same as before",
        f'{CHAPTER}, "Some text.", two more: it is False',
        f'{CHAPTER}, "Some", x is three: code cell 2 raises ZeroDivisionError: division by zero',
    ]
    result = trials.state(book, CHAPTER)
    assert (*result[:5], result.not_tried) == (2, 1, 3, 2, 1, 0)
