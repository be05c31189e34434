"""What the tests of the site share: two screens, the pages as published, axe, and the search box."""

from functools import lru_cache

from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup

from ci.book import here
from ci.catalogues.po import load
from ci.execution.cache import code_cells, read
from ci.notebooks import form
from ci.notebooks.translate import blocks
from ci.site import publish as site

BOOK = here()
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
PAGES = [(name, language) for name in [*BOOK.pages, "search"] for language in BOOK.languages]
AXE = Axe()
FIND = """async queries => {
  const found = new Promise(resolve => { globalThis.searchIn = data => resolve(makeSearch(data)) })
  const sections = document.getElementById("search-results").dataset.sections
  document.head.append(Object.assign(document.createElement("script"), { src: sections }))
  const { find, correct } = await found
  const place = ({ section: { page, id } }) => id ? `${page}#${id}` : page
  return queries.map(query => find(correct(query)).map(place))
}"""


def beside_another(name):
    """The columns of the cells of a chapter that stand beside another, as they are written."""
    cells = [cell for cell in code_cells(read(BOOK, name)) if form.columns(cell) == form.NARROW]
    return [max(len(line) for line in cell.source.split("\n")) for cell in cells]


def first_with_columns():
    """The first chapter with cells that stand beside another."""
    return next(name for name in BOOK.chapters if beside_another(name))


def heading(name, language):
    """The first heading of a page in a language, as the catalogue has it."""
    text = BOOK.source(name).read_text(encoding="utf-8")
    message = next(block.message for block in blocks(text[text.index("# ") :]))
    translations = load(BOOK.catalogue(name, language)) if language in BOOK.translations else {}
    return translations.get(message, message)


@lru_cache(maxsize=4)
def parsed(name, language):
    """A page as published; it is not to be changed."""
    path = site.published(BOOK) / language / f"{name}.html"
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def search(page, address, language, words):
    """Types words into the search box of the theme; returns the pages of the first results."""
    page.goto(f"{address}/{language}/{BOOK.pages[0]}.html")
    page.locator(".sidebar-search").fill(words)
    page.locator(".sidebar-search").press("Enter")
    return [one.locator("a").get_attribute("href").partition(".html")[0] for one in results(page)]


def results(page):
    """The results of a search, once they are there."""
    page.wait_for_function("document.querySelector('.search-summary')?.textContent.match(/[^…]$/)")
    return page.locator("ol.search > li").all()


def found_by_script(search_page, queries):
    """All places that the script of an open search page finds, for each query: "page#section", best first."""
    return search_page.evaluate(FIND, queries)
