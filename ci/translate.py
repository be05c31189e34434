"""Translates the Markdown of notebooks from the catalogues that Sphinx uses for the site.

Sphinx makes one message of each block that holds text (a paragraph, a heading, a list item, a table cell) and applies
translations to HTML alone. Here the same blocks are found with the same parser and replaced in the Markdown source.
"""

import copy
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
    """

    message: str
    opening: str
    first: int
    stop: int


def parser():
    """The Markdown parser of the book."""
    return create_md_parser(MdParserConfig(enable_extensions=MYST_EXTENSIONS), RendererHTML)


def blocks(text):
    """Lists the translatable blocks of a Markdown source, in order."""
    return [
        Block(token.content.replace("\n", " ").strip(), token.content.strip().split("\n")[0].rstrip(), *token.map)
        for token in parser().parse(text)
        if token.type == "inline" and token.content.strip()
    ]


def replace(line, start, old, new):
    """Replaces `old` by `new` in a line, from column `start` on; in a table cell, pipes are escaped.

    Returns:
      (line, column after the new text), or None if the old one is not in the line.
    """
    for before, after in ((old, new), (old.replace("|", r"\|"), new.replace("|", r"\|"))):
        if (column := line.find(before, start)) >= 0:
            return line[:column] + after + line[column + len(before) :], column + len(after)
    return None


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
        if block.first != row:  # the cells of a table row share their line
            row, column = block.first, 0
        translation = translations.get(block.message)
        if not translation:
            continue
        found = replace(lines[block.first], column, block.opening, translation)
        if not found:
            raise BookError(f"cannot place the translation of {block.message!r} in {lines[block.first]!r}")
        lines[block.first], column = found
        lines[block.first + 1 : block.stop] = [None] * (block.stop - block.first - 1)
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
    try:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if not PO_LINE.fullmatch(line):  # polib reads past missing quotes
                raise BookError(f"{path}:{number}: not a valid catalogue: look for a missing quote in {line!r}")
        return polib.pofile(str(path), encoding="utf-8", check_for_duplicates=True)
    except UnicodeDecodeError as error:
        raise BookError(f"{path}: not UTF-8 ({error.reason} at byte {error.start}): save it as UTF-8") from error
    except (OSError, ValueError) as error:
        raise BookError(f"{path}: not a valid catalogue: {error}") from error


def notebook(source, translations):
    """Returns a copy of a notebook with translated Markdown cells; code cells and outputs are those of the source."""
    translated = copy.deepcopy(source)
    for cell in translated.cells:
        if cell.cell_type == "markdown":
            cell.source = translate(cell.source, translations)
    return translated
