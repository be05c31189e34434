"""Translate the Markdown of notebooks from the catalogues that Sphinx uses for the site.

Sphinx extracts one message from each block of text (a paragraph, a heading, a list item, a table cell) and translates
only the pages. This module finds the same blocks with the same parser and replaces them in the Markdown.
"""

import copy
import itertools
from collections.abc import Mapping
from dataclasses import dataclass

from nbformat import NotebookNode

from ci.book import BookError, markdown


@dataclass(frozen=True)
class Block:
    """A piece of text in a Markdown source, in its lines first..stop-1."""

    message: str
    """The source of the text as Sphinx's catalogues have it, on one line."""
    opening: str
    """The part of the text on its first line."""
    first: int
    stop: int
    cell: bool
    """Whether the text is a cell of a table, which shares its line with others and has its pipes escaped."""


def blocks(text: str) -> list[Block]:
    """Return the translatable blocks of a Markdown source, in order."""
    tokens = markdown.parser().parse(text)
    return [
        Block(
            message=token.content.replace("\n", " ").strip(),
            opening=token.content.strip().split("\n")[0].rstrip(),
            first=token.map[0],
            stop=token.map[1],
            cell=opener.type in ("td_open", "th_open"),
        )
        for opener, token in itertools.pairwise(tokens)
        if token.type == "inline" and token.content.strip() and token.map
    ]


def place(line: str, start: int, block: Block, translation: str) -> tuple[str, int]:
    """Replace the opening of a block in its line by the translation; return the line and where the new text ends.

    In the line, cells are placed up to `start`. If the opening is not after that, BookError is raised.
    """
    old, new = block.opening, translation
    if block.cell:
        old, new = old.replace("|", r"\|"), new.replace("|", r"\|")
    # Outside of tables a block goes on to the end of its line, and a list marker may look like its text.
    column = line.find(old, start) if block.cell else line.rfind(old)
    if column < 0:
        raise BookError(f"cannot place the translation of {block.message!r} in {line!r}")
    return line[:column] + new + line[column + len(old) :], column + len(new)


def translate(text: str, translations: Mapping[str, str]) -> str:
    """Replace each block of a Markdown source by its translation; a block that has none stays as it is."""
    lines = text.split("\n")
    replaced: set[int] = set()
    row, column = -1, 0
    for block in blocks(text):
        if block.first != row:
            row, column = block.first, 0
        translation = translations.get(block.message)
        lines[row], column = place(lines[row], column, block, translation or block.opening)
        if translation:
            replaced.update(range(row + 1, block.stop))
    return "\n".join(line for number, line in enumerate(lines) if number not in replaced)


def marked(message: str, language: str) -> str:
    """Wrap a message in HTML that shows its language, since the text around it is in another one.

    The attribute `lang` is for screen readers, the superscript for all others.
    """
    return f'<span lang="{language}">{message}</span> <sup>{language}</sup>'


def notebook(source: NotebookNode, translations: Mapping[str, str], language: str) -> NotebookNode:
    """Return a copy of a notebook with translated Markdown cells; `language` is that of the source.

    Text without a translation is `marked`; of a notebook without any translation, only the title is.
    """
    translated = copy.deepcopy(source)
    texts = [cell for cell in translated.cells if cell.cell_type == "markdown"]
    messages = [block.message for cell in texts for block in blocks(cell.source)]
    missing = [message for message in messages if message not in translations]
    marks = {message: marked(message, language) for message in (missing if translations else missing[:1])}
    shown = {**translations, **marks}
    for cell in texts:
        cell.source = translate(cell.source, shown)
    return translated
