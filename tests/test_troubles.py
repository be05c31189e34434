"""The page of errors and symptoms says what the chapters print, and what their own tables say."""

import posixpath
import re
from functools import cache
from itertools import pairwise

import nbformat
import pytest

from ci.book import here, markdown
from ci.execution.cache import code_cells
from tests.conftest import in_depth

BOOK = here()
PAGE = "book/troubles"
# An error with a message: its type, then at least 12 characters. One without a message is not listed.
PRINTED = re.compile(r"\b(\w*(?:Error|Exception|Warning|NotFound))(?:: | - )(\S.{11,})")
SYMPTOM = re.compile(r"(?:what )?you see|symptom", re.IGNORECASE)  # the first heading of a table of symptoms


def printed(cell):
    """The lines of text in the outputs of a cell, without blank ones."""
    texts = (output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", []))
    return [line for text in texts for line in text.splitlines() if line.strip()]


@cache
def stored(chapter):
    """A notebook as it is stored; no test changes it."""
    return nbformat.read(BOOK.notebook(chapter, BOOK.source_language), as_version=4)


def tables(text):
    """The tables of a text of Markdown, as rows of cells, which are lists of inline tokens; the heading is a row."""
    found = []
    for before, token in pairwise(markdown.parser().parse(text)):
        if before.type == "table_open":
            found.append([])
        if before.type == "tr_open":
            found[-1].append([])
        if before.type in ("th_open", "td_open"):
            found[-1][-1].append(token.children)
    return found


def words(cell):
    """The text of a cell, without markup."""
    return "".join(token.content for token in cell)


def linked(cell):
    """The page to which the last link of a cell leads."""
    address = [token.attrs["href"] for token in cell if token.type == "link_open"][-1]
    return posixpath.join(posixpath.dirname(PAGE), address.partition("#")[0].removesuffix(".md"))


@cache
def listed():
    """The rows of both tables of the page, without their headings; of the errors only those that have a place."""
    (_heading, *errors), (_other, *symptoms) = tables(BOOK.source(PAGE).read_text(encoding="utf-8"))
    return [row for row in errors if row[2]], symptoms


def printed_errors():
    """{(chapter, error)} of all errors that the chapters print."""
    lines = ((name, line) for name in BOOK.chapters for cell in code_cells(stored(name)) for line in printed(cell))
    matches = ((name, PRINTED.search(line)) for name, line in lines)
    return {(name, f"{match[1]}: {match[2]}") for name, match in matches if match}


def test_every_error_that_a_chapter_prints_is_listed_with_a_link_to_it_and_no_other():
    errors, _symptoms = listed()
    assert {(linked(row[2]), words(row[0])) for row in errors} == printed_errors()


@pytest.mark.parametrize("name", BOOK.chapters)
def test_the_symptoms_of_a_chapter_are_listed_as_it_says_them(name):
    texts = [cell.source for cell in stored(name).cells if cell.cell_type == "markdown"]
    own = [rows for text in texts for (heading, *rows) in tables(text) if SYMPTOM.fullmatch(words(heading[0]))]
    said = [(words(row[0]), words(row[1])) for rows in own for row in rows]
    assert [(words(row[0]), words(row[1])) for row in listed()[1] if linked(row[2]) == name] == said
    assert len(said) >= 5 or in_depth(name)
