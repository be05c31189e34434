"""Read the lessons of a chapter from the list beside it, `NAME.lessons.yml`.

A lesson is a sentence of the page with an expression that must be true, also under variations of the chapter.
"""

import ast
from collections.abc import Sequence
from copy import deepcopy
from typing import NamedTuple

from nbformat import NotebookNode

from ci.book import BookError
from ci.execution.cache import code_cells
from ci.notebooks.trials import Kind, place


class Change(NamedTuple):
    """A replacement of code."""

    replace: str
    """Code that occurs once in the chapter."""
    by: str
    """Code to put in its place; may be empty."""


class Variation(NamedTuple):
    """A change of the chapter that a sceptical reader would try."""

    change: str
    """What is changed, in words."""
    replace: str
    by: str
    also: tuple[Change, ...] = ()

    @property
    def changes(self) -> tuple[Change, ...]:
        """All replacements of the variation."""
        return Change(self.replace, self.by), *self.also


class Lesson(NamedTuple):
    """An entry of a list of lessons."""

    lesson: str
    """A sentence of the page."""
    shown_by: str
    """Code that occurs once in the chapter, in the cell after which the lesson must hold."""
    holds: str
    """A Python expression, over names of the chapter, that must be true."""
    under: tuple[Variation, ...]

    @property
    def sentence(self) -> str:
        """The sentence on one line."""
        return one_line(self.lesson)


def one_line(text: str) -> str:
    """Return a text with a space for each line break and run of spaces."""
    return " ".join(text.split())


def vary(cells: Sequence[NotebookNode], changes: Sequence[Change]) -> int:
    """Apply changes to cells, in order; return the largest index of a changed cell, or -1 if there are no changes.

    Raises:
      BookError: Code to replace does not occur exactly once.
    """
    numbers = [-1]
    for change in changes:
        numbers.append(place(cells, "replace", change.replace))
        cell = cells[numbers[-1]]
        cell.source = cell.source.replace(change.replace, change.by)
    return max(numbers)


def check(notebook: NotebookNode, lesson: Lesson) -> None:
    """Raise BookError if the page lacks the sentence of a lesson, or its expression or variations are not valid."""
    prose = [one_line(cell.source) for cell in notebook.cells if cell.cell_type == "markdown"]
    if not lesson.sentence or not any(lesson.sentence in text for text in prose):
        raise BookError(f"lesson: the page does not say {lesson.sentence!r}: copy a sentence, with marks such as *")
    try:
        ast.parse(lesson.holds, mode="eval")
    except SyntaxError as error:
        raise BookError(f"holds: {lesson.holds!r} is no expression of Python ({error.msg}): write one") from error
    cells = code_cells(notebook)
    shown = place(cells, "shown_by", lesson.shown_by)
    if not lesson.under:
        raise BookError("under: there is no variation: write one with change, replace, by")
    for variation in lesson.under:
        try:
            if vary(deepcopy(cells), variation.changes) > shown:
                raise BookError("the cell of shown_by stands before the cell of replace: name one that comes later")
        except BookError as error:
            raise BookError(f"{variation.change}: {error}") from error


LESSONS = Kind("lessons", ".lessons.yml", Lesson, check)
