"""Collect from the chapters the errors that their cells print, and the symptoms in their tables.

locale/errors.csv has the meaning of each error and a line of the code cell that shows how to avoid it.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from docutils.nodes import make_id
from markdown_it.token import Token
from nbformat import NotebookNode

from ci import _
from ci.book import Book, BookError
from ci.book.markdown import parser
from ci.catalogues import lists
from ci.notebooks.form import printed

END = Token("", "", 0)  # follows the last token of a Markdown text
COLUMNS = ["message", "language", "meaning", "repair"]
# An error with a message: its type, then at least 12 characters. One without a message is not listed.
PRINTED = re.compile(r"\b(\w*(?:Error|Exception|Warning|NotFound))(?:: | - )(\S.{11,})")
SYMPTOM = re.compile(r"(?:what )?you see|symptom", re.IGNORECASE)  # the first heading of a table of symptoms

Table = list[list[str]]  # rows of cells, as Markdown; the first row is the header
Meanings = dict[str, tuple[dict[str, str], str]]


class Place(NamedTuple):
    """A code cell: its chapter, its number from 1, and the title of its section."""

    chapter: str
    number: int
    section: str


class Error(NamedTuple):
    """An error that a chapter provokes.

    Attributes:
      name: The type, such as "TypeError".
      text: The message as it is printed.
      chapter: The chapter that prints it.
      section: The title of the section in which it is printed.
      repair: The code cell that shows how to avoid the error, or None.
      meanings: {language: what the error means}.
    """

    name: str
    text: str
    chapter: str
    section: str
    repair: Place | None
    meanings: dict[str, str]


class Symptom(NamedTuple):
    """A row of a table of symptoms: its first two cells as Markdown, its chapter, and the title of its section."""

    symptom: str
    cause: str
    chapter: str
    section: str


def anchor(title: str) -> str:
    """Return the HTML id of the section with this title."""
    return make_id(title.replace("`", ""))


def meanings(book: Book) -> Meanings:
    """Return {part of a message: ({language: meaning}, a line of the cell that avoids the error, or "")}.

    Raises:
      BookError: locale/errors.csv cannot be read.
    """
    known: Meanings = {}
    for _line, row in lists.rows(book.root / "locale" / "errors.csv", COLUMNS):
        texts, repair = known.get(row["message"], ({}, ""))
        known[row["message"]] = ({**texts, row["language"]: row["meaning"]}, repair or row["repair"])
    return known


def contents(notebook: NotebookNode) -> Iterator[tuple[str, NotebookNode | Table]]:
    """Yield (section title, code cell or table) for each code cell and each table of a notebook, in order."""
    title = ""
    table: Table = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            yield title, cell
            continue
        for token, inside in pairwise([*parser().parse(cell.source), END]):
            if token.type == "heading_open":
                title = inside.content
            elif token.type == "table_open":
                table = []
            elif token.type == "tr_open":
                table.append([])
            elif token.type in ("th_open", "td_open"):
                table[-1].append(inside.content)
            elif token.type == "table_close":
                yield title, table


def cells(notebook: NotebookNode) -> list[tuple[str, NotebookNode]]:
    """Return [(section title, code cell)] for all code cells of a notebook."""
    return [(title, cell) for title, cell in contents(notebook) if isinstance(cell, NotebookNode)]


def meaning_of(text: str, meanings: Meanings) -> tuple[dict[str, str], str]:
    """Return the value in `meanings` for the message of an error.

    Raises:
      BookError: No key is part of the message, or several are.
    """
    matching = [message for message in meanings if message in text]
    if len(matching) != 1:
        sentence = _("locale/errors.csv: {count} rows with a part of this error, and it must be one: {text}")
        raise BookError(sentence, count=len(matching), text=repr(text))
    return meanings[matching[0]]


def place_of(line: str, chapters: dict[str, NotebookNode], first: str) -> Place | None:
    """Return the first code cell that contains a line of code; None if no cell contains it, or the line is empty.

    Args:
      first: The chapter in which to look first.
    """
    for chapter in [first, *chapters] if line else []:
        if any(line in cell.source for cell in chapters[chapter].cells):
            for number, (title, cell) in enumerate(cells(chapters[chapter]), start=1):
                if line in cell.source:
                    return Place(chapter, number, title)
    return None


def errors(name: str, chapters: dict[str, NotebookNode], meanings: Meanings) -> list[Error]:
    """Return the errors that an executed chapter prints, without repetitions.

    Args:
      name: The chapter.
      chapters: {chapter: notebook} for all chapters; the notebook of this chapter must have outputs.
      meanings: The value that the function `meanings` returns.

    Raises:
      BookError: locale/errors.csv has no row for an error, or several.
    """
    printed_errors = {}
    for title, cell in cells(chapters[name]):
        for match in filter(None, map(PRINTED.search, printed(cell))):
            if match.groups() not in printed_errors:
                texts, repair = meaning_of(match[2], meanings)
                place = place_of(repair, chapters, name)
                printed_errors[match.groups()] = Error(match[1], match[2], name, title, place, texts)
    return list(printed_errors.values())


def symptoms(name: str, notebook: NotebookNode) -> list[Symptom]:
    """Return the symptoms in the tables of a chapter."""
    tables = [(title, table) for title, table in contents(notebook) if isinstance(table, list)]
    return [
        Symptom(row[0], row[1], name, title)
        for title, (heading, *rows) in tables
        if SYMPTOM.fullmatch(heading[0])
        for row in rows
    ]
