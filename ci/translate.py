"""Translates the Markdown of notebooks from the catalogues that Sphinx uses for the site.

Sphinx makes one message of each block that holds text (a paragraph, a heading, a list item, a table cell) and applies
translations to HTML alone. Here the same blocks are found with the same parser and replaced in the Markdown source.
"""

import copy
import itertools
import os
import re
from dataclasses import dataclass

import polib
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from ci.chapters import BookError

PO_LINE = re.compile(r'\s*(#.*|(msg\w+(\[\d+\])?\s+)?"(\\.|[^"\\])*"\s*)?')
MYST_EXTENSIONS = {"dollarmath"}  # as in _config.yml; a test compares them


@dataclass(frozen=True)
class Block:
    """A piece of text in a Markdown source.

    Attributes:
      message: the source of the text as Sphinx's catalogues have it, on one line.
      opening: the part of it that stands in the first of its lines.
      first, stop: its lines in the source are first..stop-1.
      cell: whether it is a cell of a table, which shares its line with others and has its pipes escaped.
    """

    message: str
    opening: str
    first: int
    stop: int
    cell: bool


def parser():
    """The Markdown parser of the book."""
    return create_md_parser(MdParserConfig(enable_extensions=MYST_EXTENSIONS), RendererHTML)


def blocks(text):
    """Lists the translatable blocks of a Markdown source, in order."""
    tokens = parser().parse(text)
    return [
        Block(
            message=token.content.replace("\n", " ").strip(),
            opening=token.content.strip().split("\n")[0].rstrip(),
            first=token.map[0],
            stop=token.map[1],
            cell=opener.type in ("td_open", "th_open"),
        )
        for opener, token in itertools.pairwise(tokens)
        if token.type == "inline" and token.content.strip()
    ]


def place(line, start, block, translation):
    """Replaces the opening of a block in its line by the translation.

    Args:
      line: the first line of the block.
      start: where the cells already placed in this line end.
      block: a `Block`.
      translation: text on one line.

    Returns:
      (line, where the new text ends).

    Raises:
      BookError: the opening is not in the line.
    """
    old, new = block.opening, translation
    if block.cell:
        old, new = old.replace("|", r"\|"), new.replace("|", r"\|")
    # Outside of tables a block goes on to the end of its line, and a list marker may look like its text.
    column = line.find(old, start) if block.cell else line.rfind(old)
    if column < 0:
        raise BookError(f"cannot place the translation of {block.message!r} in {line!r}")
    return line[:column] + new + line[column + len(old) :], column + len(new)


def translate(text, translations):
    """Replaces each block of a Markdown source by its translation; a block that has none stays as it is.

    Args:
      text: Markdown.
      translations: {message: translation}, as `load` returns them.

    Raises:
      BookError: a block cannot be found in its own lines.
    """
    lines = text.split("\n")
    row, column = -1, 0
    for block in blocks(text):
        if block.first != row:
            row, column = block.first, 0
        translation = translations.get(block.message)
        lines[row], column = place(lines[row], column, block, translation or block.opening)
        if translation:
            lines[row + 1 : block.stop] = [None] * (block.stop - row - 1)
    return "\n".join(line for line in lines if line is not None)


def load(path):
    """Reads a catalogue.

    Returns:
      {message: translation} of what may be published: neither fuzzy nor empty nor obsolete. Without a file: none.

    Raises:
      BookError: the file is no catalogue; the message names the line.
    """
    if not path.exists():
        return {}
    return {entry.msgid: entry.msgstr for entry in parse(path) if entry.translated()}


def parse(path):
    """Reads a catalogue with all its entries, as a `polib.POFile`.

    Raises:
      BookError: as for `load`.
    """
    shown = os.path.relpath(path)
    try:
        text = path.read_text(encoding="utf-8")
        if text.startswith("\ufeff"):
            raise BookError(f"{shown}: begins with a byte order mark: save it as UTF-8 without BOM")
        for number, line in enumerate(text.splitlines(), start=1):
            if line.startswith(("<<<<<<<", "=======", ">>>>>>>")):
                raise BookError(f"{shown}:{number}: a conflict that git left: keep one of the two versions")
            if not PO_LINE.fullmatch(line):  # polib reads past missing quotes
                raise BookError(f"{shown}:{number}: not a valid catalogue: look for a missing quote in {line!r}")
        return polib.pofile(str(path), encoding="utf-8", check_for_duplicates=True)
    except UnicodeDecodeError as error:
        raise BookError(f"{shown}: not UTF-8 ({error.reason} at byte {error.start}): save it as UTF-8") from error
    except (OSError, ValueError) as error:
        raise BookError(f"{shown}: not a valid catalogue: {error}") from error


def notebook(source, translations):
    """Returns a copy of a notebook with translated Markdown cells; code cells and outputs are those of the source."""
    translated = copy.deepcopy(source)
    for cell in translated.cells:
        if cell.cell_type == "markdown":
            cell.source = translate(cell.source, translations)
    return translated
