"""What the build knows about the chapters it has executed, for the status page."""

from dataclasses import dataclass

from jupyter_cache import get_cache

from ci import compare
from ci.execute import cache_path, cached, code_cells, read

# What would keep a cell's output from being compared; the reason has to stand in the cell.
EXEMPTING = {"nbval-skip", "nbval-ignore-output", "skip-execution", "raises-exception"}


@dataclass
class ChapterStatus:
    """One executed chapter."""

    name: str
    cells: int
    tolerant: int
    """Cells that declare a tolerance of their own for the numbers they print."""
    exempt: int
    """Cells whose output is not compared."""
    seconds: float
    environment: dict
    """What `ci.environment.environment` returned when it was executed."""


def chapter_statuses(book):
    """Returns a `ChapterStatus` for each chapter of the book that the cache has."""
    cache = get_cache(cache_path(book))
    found = []
    for name in book.chapters:
        notebook = read(book, name)
        if not (entry := cached(cache, notebook)):
            continue
        cells = code_cells(notebook)
        tolerant = sum(compare.tolerance(cell.source) != compare.DEFAULT_TOLERANCE for cell in cells)
        exempt = sum(bool(EXEMPTING.intersection(cell.metadata.get("tags", []))) for cell in cells)
        seconds, environment = (entry[1][key] for key in ("execution_seconds", "environment"))
        found.append(ChapterStatus(name, len(cells), tolerant, exempt, seconds, environment))
    return found
