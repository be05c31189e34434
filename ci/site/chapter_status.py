"""What the build knows about the chapters: how long they take, and how they were executed."""

from dataclasses import dataclass
from math import ceil

from ci.execution import stored
from ci.execution.cache import Cache, code_cells
from ci.outputs import compare


def running_minutes(cache: Cache, name: str) -> int | None:
    """Return the minutes that the execution of a chapter took here, rounded up; None if it was not executed here."""
    entry = cache.fetch(name)
    return ceil(entry.data["execution_seconds"] / 60) if entry and entry.was_executed else None


@dataclass
class ChapterStatus:
    """The status of a chapter.

    Attributes:
      cells: The number of its code cells.
      tolerant: The number of cells that declare a tolerance of their own for the numbers they print.
      exempt: The number of cells whose output is not compared.
      seconds: How long its execution here took; None if it has the outputs of its notebook.
      date: The day on which its outputs were made; "" if it is not known.
    """

    name: str
    cells: int
    tolerant: int
    exempt: int
    seconds: float | None
    date: str


def chapter_statuses(cache: Cache) -> list[ChapterStatus]:
    """Return the status of each chapter that has outputs."""
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
