"""Estimate the reading time of chapters, and show it after the title of each section of a chapter.

The time is an attribute that the stylesheet displays, and not part of the title: search, URLs, tables of contents and
catalogues use the text of the title.
"""

import re
from itertools import accumulate, pairwise

from docutils import nodes
from nbformat import NotebookNode
from sphinx.application import Sphinx

from ci import _
from ci.book.markdown import parser
from ci.site.extension.application import BookApp

MINUTES = _("{minutes} min")
WORD = re.compile(r"\w+")
WORDS_A_MINUTE, LINES_A_MINUTE = 180, 25  # of technical prose, and of code
SECTION = ("heading_open", "h2", 0)  # type, tag and depth of the token of Markdown with which a section begins
REMOVED = {"remove-cell", "remove-input"}  # the tags of cells whose code no page shows


def minutes_by_section(source: str) -> list[float]:
    """Return the reading minutes of some Markdown: of the text before its first section, then of each section.

    The addresses of links, which no reader sees, do not count.
    """
    minutes = [0.0]
    for token in parser().parse(source):
        if (token.type, token.tag, token.level) == SECTION:
            minutes.append(0.0)
        shown = [child.content for child in token.children or []] if token.type == "inline" else [token.content]
        minutes[-1] += len(WORD.findall(" ".join(shown))) / WORDS_A_MINUTE
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
            here, others = sum(bool(line.strip()) for line in cell.source.splitlines()) / LINES_A_MINUTE, []
        minutes[-1] += here
        minutes += others
    opening, *sections = minutes
    shown = [opening + sections[0], *sections[1:]] if sections else [opening]
    ends = [0, *(round(end) for end in accumulate(shown))]
    return [end - start for start, end in pairwise(ends)]


def reading_minutes(notebook: NotebookNode) -> int:
    """Return the reading minutes of a chapter, at least 1: the sum of those of its sections, which readers see."""
    return max(1, sum(section_minutes(notebook)))


def add_minutes(app: BookApp, doctree: nodes.document, docname: str) -> None:
    """Store the estimated reading time, in minutes, as an attribute of each top-level section title of a chapter."""
    page = doctree.next_node(nodes.section)
    if docname not in app.book.chapters or page is None:
        return
    sections = [node for node in page if isinstance(node, nodes.section)]
    for section, minutes in zip(sections, section_minutes(app.cache.chapter(docname)), strict=False):
        if minutes:
            section.next_node(nodes.title)["minutes"] = app.sentences.gettext(MINUTES).format(minutes=minutes)


def setup(app: Sphinx) -> None:
    """Connect the handler; `output.writer` writes the attribute."""
    app.connect("doctree-resolved", add_minutes)
