"""What the build knows about the chapters it has executed, for the status page."""

from dataclasses import dataclass

from jupyter_cache import get_cache
from nbval.plugin import find_comment_markers, find_metadata_tags

from ci import compare
from ci.execute import cache_path, cached, code_cells, read

NOT_COMPARED = {("check", False), ("skip", True)}  # in the words of nbval


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


def exempt(cell):
    """Whether a tag or a comment keeps nbval from comparing the output of a cell."""
    return bool(NOT_COMPARED.intersection([*find_comment_markers(cell.source), *find_metadata_tags(cell.metadata)]))


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
        seconds, environment = (entry[1][key] for key in ("execution_seconds", "environment"))
        found.append(ChapterStatus(name, len(cells), tolerant, sum(map(exempt, cells)), seconds, environment))
    return found
