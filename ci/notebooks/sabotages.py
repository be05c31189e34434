"""Read the sabotages of a chapter, a list beside it, `NAME.sabotage.yml`.

A sabotage removes the cause of something that the chapter claims, and names the cell whose output must then change.
"""

from collections.abc import Sequence
from typing import NamedTuple

import yaml
from nbformat import NotebookNode

from ci.book import BookError
from ci.execution.cache import code_cells
from ci.notebooks.trials import TEXT, Kind, place, values

KEYS, OPTIONAL = dict.fromkeys(("cause", "replace", "by", "noticed_by"), TEXT), {"error": TEXT}


class Sabotage(NamedTuple):
    """One entry of a list."""

    cause: str
    """What is removed, in words."""
    replace: str
    """Code that stands in the chapter once."""
    by: str
    """Code to put in its place; may be empty."""
    noticed_by: str
    """Code of one cell, whose output must change."""
    error: str = ""
    """The name of the error that this cell raises then; "" if it raises none."""


def sabotage(node: yaml.Node) -> Sabotage:
    """Read an entry; raise BookError if keys are missing, or unknown, or have more than one text."""
    return Sabotage(**values(node, KEYS, OPTIONAL))


def places(cells: Sequence[NotebookNode], sabotage: Sabotage) -> tuple[int, int]:
    """Return the numbers, from 0, of the cell that is changed and of the one that must notice.

    Raises:
      BookError: The code of one of them is not in just one place, or the second cell stands before the first.
    """
    changed, noticing = (place(cells, key, getattr(sabotage, key)) for key in ("replace", "noticed_by"))
    if changed > noticing:
        raise BookError("the cell of noticed_by stands before the cell of replace: name a cell that is executed later")
    return changed, noticing


def check(notebook: NotebookNode, sabotage: Sabotage) -> None:
    """Raise BookError if a sabotage does not fit a chapter."""
    places(code_cells(notebook), sabotage)


SABOTAGES = Kind("sabotages", ".sabotage.yml", "cause", sabotage, check)
