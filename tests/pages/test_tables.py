"""Tables on a phone: no column as narrow as a word, no name of the code broken, and what is too wide scrolls."""

import pytest

from ci.book import here
from tests.pages.reading import PHONE, parsed

BOOK = here()
NARROWEST = 7.5  # em
CELLS = """
() => [...document.querySelectorAll("article table.docutils")]
  .filter(table => [3, 4].includes(table.rows[0].cells.length))
  .flatMap(table => [...table.rows[0].cells])
  .map(cell => cell.clientWidth / parseFloat(getComputedStyle(cell).fontSize))
"""
BROKEN = """
() => [...document.querySelectorAll("article table.docutils code")]
  .filter(code => !/\\s/.test(code.textContent) && code.firstElementChild.getClientRects().length > 1)
  .map(code => code.textContent)
"""


def columns(name, language):
    """How many columns the tables of a page have, for those that are checked."""
    counts = [len(table.tr.select("th, td")) for table in parsed(name, language).select("article table.docutils")]
    return [count for count in counts if count in (3, 4)]


@pytest.mark.parametrize("language", BOOK.languages)
@pytest.mark.parametrize("name", BOOK.pages)
def test_tables_are_readable_on_a_phone(shown, name, language):
    page = shown(name, language, PHONE, css="* { content-visibility: visible !important }").page
    found = page.evaluate(CELLS)
    assert len(found) == sum(columns(name, language))
    assert min(found, default=NARROWEST) >= NARROWEST
    assert page.evaluate(BROKEN) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", BOOK.languages)
def test_there_are_tables_to_be_checked(language):
    assert sum(sum(columns(name, language)) for name in BOOK.pages) >= 3
