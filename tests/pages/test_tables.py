"""Tables of texts: on a phone each cell stands after its heading; where they are wider, no column is as narrow as a
word, and no name of the code is broken.
"""

from ci.site.extension.output.writer import STACKED
from tests.pages.reading import BOOK, FITS, PHONE, opened, parsed

SMALL_TABLET = {"width": 600, "height": 960}
NARROWEST = 7.5  # em
WIDTHS = """
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
CELLS = """
columns => [...document.querySelectorAll("article table.docutils")]
  .filter(table => columns.includes(table.rows[0].cells.length))
  .flatMap(table => [...table.tBodies[0].rows].flatMap(row => [...row.cells].map((cell, number) => ({
    heading: number ? `"${table.rows[0].cells[number].textContent.trim()}: "` : "none",
    shown: getComputedStyle(cell, "::before").content,
    empty: cell.textContent === "",
    seen: cell.checkVisibility(),
    line: getComputedStyle(cell.querySelector("p") ?? document.createElement("p")).display,
    left: cell.getBoundingClientRect().left - table.getBoundingClientRect().left,
    cut: cell.scrollWidth > cell.clientWidth || cell.getBoundingClientRect().right > innerWidth,
  }))))
"""


def columns(name, language, counted):
    """How many columns each table of a page has, for those that have so many."""
    counts = [len(table.tr.select("th, td")) for table in parsed(name, language).select("article table.docutils")]
    return [count for count in counts if count in counted]


@opened(BOOK.pages)
def test_a_phone_shows_the_cells_of_a_row_under_each_other_with_their_headings(shown, name, language):
    page = shown(name, language, PHONE).page
    cells = page.evaluate(CELLS, list(STACKED))
    assert bool(cells) == bool(columns(name, language, STACKED))
    assert [cell for cell in cells if cell["shown"] != cell["heading"]] == []
    assert [cell for cell in cells if cell["empty"] == cell["seen"]] == []
    assert [cell for cell in cells if cell["seen"] and (cell["left"] > 1 or cell["cut"])] == []
    assert [cell for cell in cells if cell["line"] == "block"] == []
    assert page.locator("table[style] th:visible").count() == page.locator("table[style]").count()
    assert page.evaluate(FITS)


@opened(BOOK.pages)
def test_tables_are_readable_on_a_small_tablet(shown, name, language):
    page = shown(name, language, SMALL_TABLET).page
    found = page.evaluate(WIDTHS)
    assert len(found) == sum(columns(name, language, (3, 4)))
    assert min(found, default=NARROWEST) >= NARROWEST
    assert page.evaluate(BROKEN) == []
    assert page.evaluate(FITS)
