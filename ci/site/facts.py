"""What the build knows about the chapters: how long they take, and how they were executed."""

from dataclasses import dataclass
from math import ceil

from ci.execution import stored
from ci.execution.cache import code_cells
from ci.outputs import compare


def running_minutes(cache, name):
    """As measured when the chapter was executed here, rounded up; None if it was not."""
    entry = cache.fetch(name)
    return ceil(entry.data["execution_seconds"] / 60) if entry and entry.was_executed else None


@dataclass
class ChapterStatus:
    """One chapter, as the build has it."""

    name: str
    cells: int
    tolerant: int
    """Cells that declare a tolerance of their own for the numbers they print."""
    exempt: int
    """Cells whose output is not compared."""
    seconds: float | None
    """Of its execution here; None if it has the outputs of its notebook."""
    date: str
    """On which its outputs were made; "" if nothing says so."""


def chapter_statuses(cache):
    """Returns a `ChapterStatus` for each chapter of the book that has outputs."""
    from ci.execution.nbval import exempt  # nbval takes a second to import, and only one page needs it

    statuses = []
    for name in cache.book.chapters:
        if not (entry := cache.fetch(name)):
            continue
        cells = code_cells(entry.notebook)
        tolerant = sum(compare.tolerance(cell.source) != compare.DEFAULT_TOLERANCE for cell in cells)
        seconds = entry.data.get("execution_seconds")
        date = entry.data.get("environment" if entry.was_executed else stored.EXECUTION, {}).get("date", "")
        statuses.append(ChapterStatus(name, len(cells), tolerant, sum(map(exempt, cells)), seconds, date))
    return statuses
