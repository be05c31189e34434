"""Read from the chapters what goes wrong: the errors that their cells print, and the symptoms in their tables.

The meaning of an error is in locale/errors.csv, with a line of the cell that shows how to do it right.
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

END = Token("", "", 0)  # of a Markdown text
COLUMNS = ["message", "language", "meaning", "repair"]
# A name alone explains nothing.
PRINTED = re.compile(r"\b(\w*(?:Error|Exception|Warning|NotFound))(?:: | - )(\S.{11,})")
SYMPTOM = re.compile(r"(?:what )?you see|symptom", re.IGNORECASE)  # the heading of the first column

Table = list[list[str]]  # rows of cells in Markdown
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
      repair: The cell that shows how to do it right.
      meanings: {language: what the error means}.
    """

    name: str
    text: str
    chapter: str
    section: str
    repair: Place | None
    meanings: dict[str, str]


class Symptom(NamedTuple):
    """A row of a chapter's table of symptoms: the Markdown of its first two cells, its chapter and its section."""

    symptom: str
    cause: str
    chapter: str
    section: str


def anchor(title: str) -> str:
    """Return the id of a section, given its title."""
    return make_id(title.replace("`", ""))


def meanings(book: Book) -> Meanings:
    """Return {part of a message: ({language: what it means}, a line of the cell that repairs it, or "")}.

    Raises:
      BookError: The list cannot be read.
    """
    known: Meanings = {}
    for _line, row in lists.rows(book.root / "locale" / "errors.csv", COLUMNS):
        texts, repair = known.get(row["message"], ({}, ""))
        known[row["message"]] = ({**texts, row["language"]: row["meaning"]}, repair or row["repair"])
    return known


def contents(notebook: NotebookNode) -> Iterator[tuple[str, NotebookNode | Table]]:
    """Yield (title of the section, code cell or table) for each code cell and each table of a notebook."""
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
    """Return [(title of the section, code cell)]."""
    return [(title, cell) for title, cell in contents(notebook) if isinstance(cell, NotebookNode)]


def meaning_of(text: str, meanings: Meanings) -> tuple[dict[str, str], str]:
    """Return what the list says of a printed text.

    Raises:
      BookError: The list has no row for the text, or several.
    """
    matching = [message for message in meanings if message in text]
    if len(matching) != 1:
        sentence = _("locale/errors.csv: {count} rows with a part of this error, and it must be one: {text}")
        raise BookError(sentence, count=len(matching), text=repr(text))
    return meanings[matching[0]]


def place_of(line: str, chapters: dict[str, NotebookNode], first: str) -> Place | None:
    """Return the first cell that has a line of code; None if no cell has it, or the line is empty.

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
    """Return the errors of an executed chapter, each once.

    Args:
      name: The chapter.
      chapters: {chapter: notebook} of the book; that of this chapter has outputs.
      meanings: Returned by `meanings`.

    Raises:
      BookError: The list says nothing of an error.
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
