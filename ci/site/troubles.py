"""What goes wrong in the chapters: the errors that their cells print, and the symptoms of their tables.

What an error means stands in locale/errors.csv, with a line of the cell that shows how to do it right.
"""

import re
from itertools import pairwise
from typing import NamedTuple

from docutils.nodes import make_id

from ci import _
from ci.book import BookError
from ci.book.markdown import parser
from ci.catalogues import lists
from ci.execution.cache import read
from ci.notebooks.form import printed

COLUMNS = ["message", "language", "meaning", "repair"]
# A name alone explains nothing.
PRINTED = re.compile(r"\b(\w*(?:Error|Exception|Warning|NotFound))(?:: | - )(\S.{11,})")
SYMPTOM = re.compile(r"(?:what )?you see|symptom", re.IGNORECASE)  # the heading of the first column


class Error(NamedTuple):
    """An error that a chapter provokes.

    Attributes:
      name: such as "TypeError".
      text: as it is printed.
      chapter: which one.
      section: the title of the section in which it is printed.
      repair: `place_of` the line of its repair.
      meanings: {language: what it means}.
    """

    name: str
    text: str
    chapter: str
    section: str
    repair: tuple | None
    meanings: dict


class Symptom(NamedTuple):
    """A row of a chapter's table of symptoms: the Markdown of its first two cells, and where it stands."""

    symptom: str
    cause: str
    chapter: str
    section: str


def anchor(title):
    """The fragment of the address of a section."""
    return make_id(title.replace("`", ""))


def meanings(book):
    """Returns {part of a message: ({language: what it means}, a line of the cell that repairs it, or "")}.

    Raises:
      BookError: the list cannot be read.
    """
    found = {}
    for _line, row in lists.rows(book.root / "locale" / "errors.csv", COLUMNS):
        texts, repair = found.get(row["message"], ({}, ""))
        found[row["message"]] = ({**texts, row["language"]: row["meaning"]}, repair or row["repair"])
    return found


def places(notebook):
    """Yields (title of the section, code cell or table) of a notebook; a table is a list of rows of Markdown."""
    title = ""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            yield title, cell
            continue
        for token, inside in pairwise([*parser().parse(cell.source), None]):
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


def known(meanings, text):
    """What the list says of a printed text.

    Raises:
      BookError: nothing, or two things.
    """
    matching = [message for message in meanings if message in text]
    if len(matching) != 1:
        sentence = _("locale/errors.csv: {count} rows with a part of this error, and it must be one: {text}")
        raise BookError(sentence, count=len(matching), text=repr(text))
    return meanings[matching[0]]


def place_of(book, line, name):
    """The chapter, the number of the code cell that has a line, from 1, and its section; None if none has it.

    Args:
      name: the chapter that is looked at first.
    """
    for chapter in [name, *book.chapters] if line else []:
        cells = [(title, cell) for title, cell in places(read(book, chapter)) if not isinstance(cell, list)]
        for number, (title, cell) in enumerate(cells, start=1):
            if line in cell.source:
                return chapter, number, title
    return None


def errors(book, name, notebook):
    """Returns the `Error`s of an executed chapter, each once.

    Raises:
      BookError: the list says nothing of one.
    """
    texts, found = meanings(book), {}
    for title, cell in places(notebook):
        for match in filter(None, map(PRINTED.search, [] if isinstance(cell, list) else printed(cell))):
            meaning, repair = known(texts, match[2])
            error = Error(*match.groups(), name, title, place_of(book, repair, name), meaning)
            found.setdefault(match.groups(), error)
    return list(found.values())


def symptoms(name, notebook):
    """Returns the `Symptom`s of a chapter."""
    tables = [(title, table) for title, table in places(notebook) if isinstance(table, list)]
    return [
        Symptom(*row[:2], name, title)
        for title, (heading, *rows) in tables
        if SYMPTOM.fullmatch(heading[0])
        for row in rows
    ]
