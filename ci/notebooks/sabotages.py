"""Read the sabotages of a chapter from the list beside it, `NAME.sabotage.yml`.

A sabotage removes the cause of something that the chapter claims, and names the cell whose output must then change.
"""

from typing import NamedTuple

from nbformat import NotebookNode

from ci.book import BookError
from ci.execution.cache import code_cells
from ci.notebooks.trials import Kind, place


class Sabotage(NamedTuple):
    """An entry of a list of sabotages."""

    cause: str
    """What is removed, in words."""
    replace: str
    """Code that occurs once in the chapter."""
    by: str
    """Code to put in its place; may be empty."""
    noticed_by: str
    """Code that occurs once in the chapter, in the cell whose output must change."""
    error: str = ""
    """The name of the error that the cell of `noticed_by` must raise; "" if it raises none."""


def places(notebook: NotebookNode, sabotage: Sabotage) -> tuple[int, int]:
    """Return the index of the code cell that is changed, and of the one whose output must change.

    Raises:
      BookError: The code that names one of them does not occur exactly once, or the second precedes the first.
    """
    cells = code_cells(notebook)
    changed, noticing = (place(cells, key, getattr(sabotage, key)) for key in ("replace", "noticed_by"))
    if changed > noticing:
        raise BookError("the cell of noticed_by stands before the cell of replace: name a cell that is executed later")
    return changed, noticing


SABOTAGES = Kind("sabotages", ".sabotage.yml", Sabotage, places)
