"""A lesson holds if its expression is true after the cell that shows it, in the chapter and under each variation."""

import asyncio

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from ci.book import BookError
from ci.checks import lessons
from ci.notebooks.lessons import LESSONS, Change, Lesson, Variation
from tests.execution.kernels import in_this_process

CHAPTER = "book/part/one"
SOURCES = ("x = 1 + 1", "y = 10 / (3 - x)", "print('never asked')")
LIST = """\
- lesson: Some text.
  shown_by: 1 + 1
  holds: x < 4
  under:
    - {change: one more, replace: 1 + 1, by: 1 + 2}
    - {change: two more, replace: 1 + 1, by: 1 + 3}
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


def lesson(holds, shown_by="1 + 1", *changes):
    return Lesson("", shown_by, holds, tuple(Variation("", *change) for change in changes))


@pytest.fixture
def ask(monkeypatch):
    """Asks for lessons in a chapter, with changes and another way to execute it; returns why they do not hold."""

    def ask(asked, *changes, run=in_this_process):
        monkeypatch.setattr(lessons, "run", run)
        chapter = new_notebook(cells=[new_markdown_cell("# One"), *map(new_code_cell, SOURCES)])
        return list(asyncio.run(lessons.ask(chapter, asked, changes, 1)).values())

    return ask


@pytest.mark.parametrize(
    "holds, said",
    [
        ("x == 2", ""),
        ("x == 3", "it is False"),
        ("__import__('numpy').array([x == 2]).all()", ""),
        ("__import__('numpy').array([x == 3]).all()", "it is np.False_"),
        ("x", "it is 2, neither True nor False: write a comparison, in bool() if it is of arrays"),
        ("None", "it is None, neither True nor False: write a comparison, in bool() if it is of arrays"),
        ("z > 1", "it raises NameError: name 'z' is not defined"),
        ("1 / (x - 2)", "it raises ZeroDivisionError: division by zero"),
        ("all(x == a for a in [2])", ""),
        ("print('words') is None", ""),
    ],
)
def test_only_true_holds(ask, holds, said):
    assert ask([lesson(holds)]) == [said]


def test_a_question_leaves_the_names_of_the_chapter_alone(ask):
    first, second = lesson("[x := 5, z := 6] == [5, 6]"), lesson("(x, 'z' in globals()) == (2, False)", "y =")
    assert ask([first, second]) == ["", ""]


def test_what_comes_after_the_last_question_is_not_executed(ask):
    async def run(notebook, *arguments, **variables):
        assert "never asked" not in notebook.cells[-2].source + notebook.cells[-1].source
        return await in_this_process(notebook)

    assert ask([lesson("y > 0", "y ="), lesson("x > 0")], run=run) == ["", ""]


def test_the_cell_that_shows_a_lesson_is_found_by_the_code_of_the_chapter(ask):
    assert ask([lesson("x == 4")], Change("x = 1 + 1", "x = 2"), Change("x = 2", "x = 4")) == [""]


def test_a_chapter_that_ends_early_is_the_reason_for_the_questions_that_are_left(ask):
    async def endless(*arguments, **variables):
        raise BookError("code cell 2: not finished after 5 seconds\n\nits source")

    async def silent(*arguments, **variables):
        pass

    assert ask([lesson("x > 0")], run=endless) == ["code cell 2: not finished after 5 seconds"]
    assert ask([lesson("x > 0")], run=silent) == ["nothing answered"]


def test_a_variation_of_several_lessons_is_executed_once():
    one, other = lesson("x", "1 + 1", ("1", "2"), ("1", "3")), lesson("y", "1 + 1", ("1", "2"))
    found = lessons.executions([one, other])
    assert [(list(changes), list(asked)) for changes, asked in found.items()] == [
        ([], [one, other]),
        ([Change("1", "2")], [one, other]),
        ([Change("1", "3")], [one]),
    ]


def test_in_kernels_each_lesson_that_does_not_hold_is_named_and_the_result_is_kept(book, edit, capsys):
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", f"```{{code-cell}}\n{SOURCES[1]}\n")
    LESSONS.path(book, CHAPTER).write_text(LIST, encoding="utf-8")
    assert lessons.report(book, [CHAPTER]) == 1
    assert capsys.readouterr().out.splitlines()[-2:] == [
        f'{CHAPTER}, "Some text.", two more: it is False',
        f'{CHAPTER}, "Some", x is three: code cell 2 raises ZeroDivisionError: division by zero',
    ]
    result = LESSONS.results(book)[CHAPTER]
    assert result.counts == {"lessons": 3, "variations": 2, "held": 1}
    assert result.digest == LESSONS.digest(book, CHAPTER)


def test_lessons_that_hold_are_reported_with_success(book, monkeypatch, capsys):
    monkeypatch.setattr(lessons, "run", in_this_process)
    LESSONS.path(book, CHAPTER).write_text(LIST.partition("    - {change: two")[0], encoding="utf-8")
    assert lessons.report(book, []) == 0
    assert capsys.readouterr().out.splitlines()[-2].replace("│", "").split() == [CHAPTER, "1", "1", "1"]
