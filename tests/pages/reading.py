"""What the tests of the site share: two screens, the pages as published, axe, and the search box."""

from functools import cache

import pytest
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup

from ci.book import here
from ci.catalogues.po import load
from ci.execution import frameworks
from ci.execution.cache import code_cells, read
from ci.notebooks import faults
from ci.notebooks.translate import blocks
from ci.site import publish as site
from tests.conftest import in_depth

BOOK = here()
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
AXE = Axe()
FITS = "document.documentElement.scrollWidth <= innerWidth"


def beside_another(name):
    """The number of columns of each code cell of a chapter that stands beside another."""
    cells = [cell for cell in code_cells(read(BOOK, name)) if faults.columns(cell) == faults.NARROW]
    return [max(len(line) for line in cell.source.split("\n")) for cell in cells]


FRONT, SEARCH = BOOK.pages[0], "search"
TUTORIAL = next(name for name in BOOK.chapters if beside_another(name))
IN_DEPTH = next(name for name in BOOK.chapters if in_depth(name))
COMPARISON = next(iter(frameworks.listed(BOOK)))
KINDS = {*set(BOOK.pages) - set(BOOK.chapters), TUTORIAL, IN_DEPTH, COMPARISON, SEARCH}


def each(names):
    """Runs a test for each page of these names in each language."""
    return pytest.mark.parametrize("name, language", [(name, code) for name in names for code in BOOK.languages])


def opened(names, languages=tuple(BOOK.languages)):
    """Runs a test that opens pages for one page of each kind in each language; the others are marked slow."""
    pages = [
        pytest.param(name, language, marks=[] if name in KINDS else pytest.mark.slow)
        for name in names
        for language in languages
    ]
    return pytest.mark.parametrize("name, language", pages)


def heading(name, language):
    """The first heading of a page in a language, as the catalogue has it."""
    text = BOOK.source(name).read_text(encoding="utf-8")
    message = next(block.message for block in blocks(text[text.index("# ") :]))
    return translations(name, language).get(message, message)


def translations(name, language):
    """The translated messages of a page; none in the source language."""
    return load(BOOK.catalogue(name, language)) if language in BOOK.translations else {}


def published(name, language):
    """The path of a page as published."""
    return site.published(BOOK) / language / f"{name}.html"


@cache
def parsed_file(path):
    """A published HTML file, parsed once for all tests of a worker, which must not change it."""
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def parsed(name, language):
    """A page as published, which tests must not change."""
    return parsed_file(published(name, language))


def search(page, address, language, words):
    """Types words into the search box of the theme; returns the pages of the first results."""
    page.goto(f"{address}/{language}/{FRONT}.html")
    page.locator(".sidebar-search").fill(words)
    page.locator(".sidebar-search").press("Enter")
    return [result.locator("a").get_attribute("href").partition(".html")[0] for result in results(page)]


def results(page):
    """The results of a search, once they are shown."""
    page.wait_for_function("document.querySelector('.search-summary')?.textContent.match(/[^…]$/)")
    return page.locator("ol.search > li").all()


STILL = """async fragment => {
  const place = () => document.getElementById(fragment).getBoundingClientRect().top
  for (let before = place(), frames = 0; frames < 10; frames++) {
    await new Promise(requestAnimationFrame)
    if (place() !== before) [before, frames] = [place(), 0]
  }
  return place()
}"""


def place(page, fragment):
    """Where a section is in the window, in pixels from the top, once it has not moved for ten frames."""
    return page.evaluate(STILL, fragment)
