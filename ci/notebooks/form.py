"""The form of a chapter: how long it is, how long its cells and lines are, how much of what it prints is a verdict.

Limits of length are those of the book's own tutorials, `tutorials` of `_config.yml`; a chapter in depth has none.
"""

import re
from itertools import pairwise

from ci.book.markdown import parser
from ci.execution.cache import code_cells
from ci.notebooks.tags import PAIRS

LIMITS = "tutorials"
WORD = re.compile(r"\w+")
WORDS_A_MINUTE = 238  # silent reading of English non-fiction: Brysbaert, 2019, doi:10.1016/j.jml.2019.104047
QUESTIONS = re.compile(r"^## Questions\n.*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)
SECTION = ("heading_open", "h2", 0)  # where one begins: type, tag and depth of a token of Markdown
LONGEST = 20  # lines of a cell
WIDE, NARROW = 88, 58  # columns, and those of a cell beside another
BESIDE_ANOTHER = {*PAIRS.keys(), *PAIRS.values()}
PROGRAM = "%%writefile "  # the first word of a cell that is a file, and as long as that
MOST_VERDICTS = 15  # per cent
VERDICT, DIGIT = re.compile(r"\b(True|False)\b"), re.compile(r"\d")


def in_depth(name):
    """Whether a chapter is not a tutorial, but read for more about one."""
    return name.endswith("_in_depth")


def words(text):
    return len(WORD.findall(text))


def prose_words(notebook):
    """The words of the Markdown, without those of the questions, which are read to be answered."""
    markdown = (cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    return sum(words(QUESTIONS.sub("", source)) for source in markdown)


def parts(source):
    """The words of some Markdown before its first section, and of each section that begins in it."""
    lines = source.splitlines(keepends=True)
    begins = [token.map[0] for token in parser().parse(source) if (token.type, token.tag, token.level) == SECTION]
    return [words("".join(lines[start:end])) for start, end in pairwise([0, *begins, len(lines)])]


def section_words(notebook):
    """The words of each section, code included; what stands before the first counts with it."""
    found = [0]
    for cell in notebook.cells:
        here, *others = parts(cell.source) if cell.cell_type == "markdown" else [words(cell.source)]
        found[-1] += here
        found += others
    opening, *sections = found
    return [opening + sections[0], *sections[1:]] if sections else [opening]


def section_minutes(notebook):
    """How long each section of a chapter takes to read; a translation says as much as the English."""
    return [max(1, round(count / WORDS_A_MINUTE)) for count in section_words(notebook)]


def reading_minutes(notebook):
    """The sum of its sections', so that readers can add up what they are told."""
    return sum(section_minutes(notebook))


def longest(notebook):
    """The lines of the longest cell that is no program."""
    cells = (cell.source for cell in code_cells(notebook) if not cell.source.startswith(PROGRAM))
    return max((len(source.splitlines()) for source in cells), default=0)


def columns(cell):
    """How wide the lines of a cell may be."""
    return NARROW if BESIDE_ANOTHER.intersection(cell.metadata.get("tags", [])) else WIDE


def wide_lines(cell):
    """Lists the lines of a cell that are too wide."""
    return [line for line in cell.source.split("\n") if len(line) > columns(cell)]


def printed(cell):
    """Lists the lines that a cell shows as text."""
    texts = (output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", []))
    return [line for text in texts for line in text.splitlines() if line.strip()]


def verdicts(lines):
    """Those lines that say True or False, and no number after the last colon: nothing that a reader could judge."""
    return [line for line in lines if VERDICT.search(line) and not DIGIT.search(line.rpartition(":")[2])]


def share_of_verdicts(notebook):
    """Per cent of the lines that the cells show."""
    lines = [line for cell in code_cells(notebook) for line in printed(cell)]
    return 100 * len(verdicts(lines)) / max(1, len(lines))


def long_cells(chapter):
    """Yields (line, what is wrong) for cells that are too long to be read at once."""
    for cell in chapter.code:
        count = len(cell.cell.source.splitlines())
        if count > LONGEST and not cell.cell.source.startswith(PROGRAM):
            yield cell.line, f"{cell.name}: it has {count} lines, and {LONGEST} is the limit: make two of it"


def lines_too_wide(chapter):
    """Yields (line, what is wrong) for lines that a reader would have to scroll."""
    text = chapter.path.read_text(encoding="utf-8").split("\n")
    for cell in chapter.code:
        number = cell.line
        for line in wide_lines(cell.cell):
            number = text.index(line, number) + 1
            yield number, f"{cell.name}: {len(line)} columns, and {columns(cell.cell)} is the limit: break the line"


def bare_verdicts(chapter, notebook):
    """Says if too much of what a chapter shows is True or False without a number."""
    share = share_of_verdicts(notebook)
    if share > MOST_VERDICTS:
        pairs = zip(chapter.code, code_cells(notebook), strict=False)
        most = max(pairs, key=lambda pair: len(verdicts(printed(pair[1]))))[0]
        what = f"{share:.0f} % of the lines shown are True or False without a number, {MOST_VERDICTS} % is the limit"
        yield most.line, f"{what}: print the numbers that decide; most of them are shown by {most.name}"


def lengths(chapter, notebook):
    """Says if a tutorial is shorter or longer than the tutorials of the book are."""
    limits = {} if in_depth(chapter.name) else chapter.book.config.get(LIMITS, {})
    counts = {"words": prose_words(notebook), "code cells": len(code_cells(notebook))}
    for what, (least, most) in limits.items():
        if not least <= counts[what] <= most:
            repair = "leave some out, or move them to the page in depth" if counts[what] > most else "say more"
            yield 1, f"it has {counts[what]:,} {what}, and {least:,} to {most:,} are the limits: {repair}"
