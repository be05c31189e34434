"""Read the lessons of a chapter, a list beside it, `NAME.lessons.yml`.

A lesson is a sentence of the page with an expression that must be true, also under variations of the chapter.
"""

import ast
from collections.abc import Sequence
from copy import deepcopy
from typing import NamedTuple

import yaml
from nbformat import NotebookNode

from ci.book import BookError
from ci.execution.cache import code_cells
from ci.notebooks.trials import LIST, TEXT, Kind, place, values

KEYS = {"lesson": TEXT, "shown_by": TEXT, "holds": TEXT, "under": LIST}
PAIR = {"replace": TEXT, "by": TEXT}


class Change(NamedTuple):
    """A replacement of code."""

    replace: str
    """Code that stands in the chapter once."""
    by: str
    """Code to put in its place; may be empty."""


class Variation(NamedTuple):
    """What a sceptical reader would try."""

    change: str
    """What is changed, in words."""
    changes: tuple[Change, ...]


class Lesson(NamedTuple):
    """One entry of a list."""

    lesson: str
    """A sentence of the page, on one line."""
    shown_by: str
    """Code of the cell after which the lesson must hold."""
    holds: str
    """An expression over names of the chapter."""
    under: tuple[Variation, ...]


def one_line(text: str) -> str:
    """Return a text with a space for each line break and run of spaces."""
    return " ".join(text.split())


def variation(node: yaml.Node) -> Variation:
    """Read a variation; raise BookError as `values` does."""
    texts = values(node, {"change": TEXT, **PAIR}, {"and": LIST})
    further = [Change(**values(pair, PAIR)) for pair in texts.get("and", ())]
    return Variation(texts["change"], (Change(texts["replace"], texts["by"]), *further))


def lesson(node: yaml.Node) -> Lesson:
    """Read an entry; raise BookError as `values` does, or if there is no variation."""
    entry = values(node, KEYS)
    if not entry["under"]:
        raise BookError("under: it has no variation: write one with change, replace, by")
    under = tuple(map(variation, entry["under"]))
    return Lesson(one_line(entry["lesson"]), entry["shown_by"], entry["holds"].strip(), under)


def vary(cells: Sequence[NotebookNode], changes: Sequence[Change]) -> int:
    """Make changes in cells, one after the other; return the number, from 0, of the last changed cell, or -1.

    Raises:
      BookError: Code to replace is not in just one place.
    """
    numbers = [-1]
    for change in changes:
        numbers.append(place(cells, "replace", change.replace))
        cell = cells[numbers[-1]]
        cell.source = cell.source.replace(change.replace, change.by)
    return max(numbers)


def check(notebook: NotebookNode, lesson: Lesson) -> None:
    """Raise BookError if a lesson does not fit a chapter."""
    prose = [one_line(cell.source) for cell in notebook.cells if cell.cell_type == "markdown"]
    if not lesson.lesson or not any(lesson.lesson in text for text in prose):
        raise BookError(
            f"lesson: the page does not have {lesson.lesson!r}: copy a sentence of it, with marks such as *"
        )
    try:
        ast.parse(lesson.holds, mode="eval")
    except SyntaxError as error:
        raise BookError(f"holds: {lesson.holds!r} is no expression of Python, {error.msg}: write one") from error
    cells = code_cells(notebook)
    shown = place(cells, "shown_by", lesson.shown_by)
    for variation in lesson.under:
        try:
            changed = vary(deepcopy(cells), variation.changes)
        except BookError as error:
            raise BookError(f"{variation.change}: {error}") from error
        if changed > shown:
            raise BookError(
                f"{variation.change}: the cell of shown_by stands before the cell of replace: name a cell that is "
                "executed later"
            )


LESSONS = Kind("lessons", ".lessons.yml", "lesson", lesson, check)
