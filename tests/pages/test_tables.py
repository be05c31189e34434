"""Tables on a phone: no column as narrow as a word, no name of the code broken, and what is too wide scrolls."""

import pytest

from ci.book import here
from tests.pages.reading import PHONE

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


@pytest.mark.parametrize("language", BOOK.languages)
def test_tables_are_readable_on_a_phone(open_page, language):
    found = []
    for name in BOOK.pages:
        page, _ = open_page(f"{language}/{name}.html", viewport=PHONE)
        page.add_style_tag(content="* { content-visibility: visible !important }")
        found += page.evaluate(CELLS)
        assert page.evaluate(BROKEN) == [], name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    assert len(found) >= 3
    assert min(found) >= NARROWEST
