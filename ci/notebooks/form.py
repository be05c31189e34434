"""Measure the form of a chapter: its words, cells and lines, and how long it takes to read."""

import re
from collections.abc import Iterator
from itertools import accumulate, pairwise

from markdown_it.token import Token
from nbformat import NotebookNode

from ci.book.markdown import parser
from ci.notebooks.cells import PAIRS, Chapter

WORD = re.compile(r"\w+")
WORDS_A_MINUTE, LINES_A_MINUTE = 180, 25  # of technical prose, and of code
SECTION = ("heading_open", "h2", 0)  # type, tag and depth of the token of Markdown with which a section begins
WIDE, NARROW = 88, 58  # the most columns of a line of code, and of one in a cell beside another
REMOVED = {"remove-cell", "remove-input"}  # the tags of cells whose code no page shows
BESIDE_ANOTHER = {*PAIRS.keys(), *PAIRS.values()}


def words(text: str) -> int:
    """Count the words of a text."""
    return len(WORD.findall(text))


def lines(source: str) -> int:
    """Count the lines of some code that are not blank."""
    return sum(bool(line.strip()) for line in source.splitlines())


def text_of(token: Token) -> str:
    """Return the text of a token of Markdown that a reader sees: without the addresses of links."""
    if token.type == "inline":
        return " ".join(child.content for child in token.children or [])
    return token.content


def minutes_by_section(source: str) -> list[float]:
    """Return the reading minutes of some Markdown: of the text before its first section, then of each section."""
    minutes = [0.0]
    for token in parser().parse(source):
        if (token.type, token.tag, token.level) == SECTION:
            minutes.append(0.0)
        minutes[-1] += words(text_of(token)) / WORDS_A_MINUTE
    return minutes


def section_minutes(notebook: NotebookNode) -> list[int]:
    """Return the reading minutes of each section of a chapter; the text before the first section counts with it.

    Code that no page shows takes no time. The minutes are rounded so that their sum is that of the chapter: a short
    section may have 0. The pages of translations show the minutes of the English.
    """
    minutes = [0.0]
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            here, *others = minutes_by_section(cell.source)
        elif REMOVED.intersection(cell.metadata.get("tags", [])):
            continue
        else:
            here, others = lines(cell.source) / LINES_A_MINUTE, []
        minutes[-1] += here
        minutes += others
    opening, *sections = minutes
    shown = [opening + sections[0], *sections[1:]] if sections else [opening]
    ends = [0, *(round(end) for end in accumulate(shown))]
    return [end - start for start, end in pairwise(ends)]


def reading_minutes(notebook: NotebookNode) -> int:
    """Return the reading minutes of a chapter, at least 1: the sum of those of its sections, which readers see."""
    return max(1, sum(section_minutes(notebook)))


def columns(cell: NotebookNode) -> int:
    """Return the largest width of a line of a cell, in columns."""
    return NARROW if BESIDE_ANOTHER.intersection(cell.metadata.get("tags", [])) else WIDE


def printed(cell: NotebookNode) -> list[str]:
    """Return the lines of text in the outputs of a cell, without blank ones."""
    texts = (output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", []))
    return [line for text in texts for line in text.splitlines() if line.strip()]


def lines_too_wide(chapter: Chapter) -> Iterator[tuple[int, str]]:
    """Yield (line, what is wrong) for lines of code that are too wide to read without scrolling."""
    text = chapter.path.read_text(encoding="utf-8").split("\n")
    for cell in chapter.code:
        number, limit = cell.line, columns(cell.cell)
        for line in cell.cell.source.split("\n"):
            if len(line) > limit:
                number = text.index(line, number) + 1
                yield number, f"{cell.name}: {len(line)} columns, and {limit} is the limit: break the line"
