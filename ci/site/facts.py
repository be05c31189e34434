"""What the build knows about the chapters: how long they take, and how they were executed."""

import re
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from ci.book.markdown import parser
from ci.execution.cache import code_cells, read
from ci.outputs import compare

WORDS_A_MINUTE = 238  # silent reading of English non-fiction: Brysbaert, 2019, doi:10.1016/j.jml.2019.104047
WORD = re.compile(r"\w+")
SECTION = ("heading_open", "h2", 0)  # where one begins: type, tag and depth of a token of Markdown


def words(text):
    return len(WORD.findall(text))


def parts(source):
    """The words of some Markdown before its first section, and of each section that begins in it."""
    lines = source.splitlines(keepends=True)
    begins = [token.map[0] for token in parser().parse(source) if (token.type, token.tag, token.level) == SECTION]
    return [words("".join(lines[start:end])) for start, end in pairwise([0, *begins, len(lines)])]


def section_words(book, name):
    """The words of the English of each section, code included; what stands before the first counts with it."""
    found = [0]
    for cell in read(book, name).cells:
        here, *others = parts(cell.source) if cell.cell_type == "markdown" else [words(cell.source)]
        found[-1] += here
        found += others
    opening, *sections = found
    return [opening + sections[0], *sections[1:]] if sections else [opening]


def section_minutes(book, name):
    """How long each section of a chapter takes to read; a translation says as much as the English."""
    return [max(1, round(count / WORDS_A_MINUTE)) for count in section_words(book, name)]


def reading_minutes(book, name):
    """The sum of its sections', so that readers can add up what they are told."""
    return sum(section_minutes(book, name))


def running_minutes(cache, name):
    """As measured when the chapter was executed here, rounded up; None if it was not."""
    entry = cache.fetch(name)
    return ceil(entry.data["execution_seconds"] / 60) if entry else None


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
    """What `ci.execution.environment.environment` returned when it was executed."""


def chapter_statuses(cache):
    """Returns a `ChapterStatus` for each chapter of the book that the cache has."""
    from ci.outputs.nbval import exempt  # nbval takes a second to import, and only one page needs it

    statuses = []
    for name in cache.book.chapters:
        if not (entry := cache.fetch(name)):
            continue
        cells = code_cells(entry.notebook)
        tolerant = sum(compare.tolerance(cell.source) != compare.DEFAULT_TOLERANCE for cell in cells)
        seconds, environment = (entry.data[key] for key in ("execution_seconds", "environment"))
        statuses.append(ChapterStatus(name, len(cells), tolerant, sum(map(exempt, cells)), seconds, environment))
    return statuses
