"""The built book, served as a reader meets it, in a real browser."""

import re
from types import SimpleNamespace

import pytest
from playwright.sync_api import sync_playwright
from xdist.scheduler import LoadScopeScheduling

from ci.book import here
from ci.site import browser as installed
from ci.site import publish as site
from tests.conftest import served
from tests.pages.reading import DESKTOP, SEARCH

BOOK = here()
PAGE = re.compile(rf"tests/pages/.*\[((?:{'|'.join(BOOK.pages)}|{SEARCH}))(?:-({'|'.join(BOOK.languages)}))?[\]-]")
# No name of another site is resolved, so that nothing is loaded from there.
OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
# Removes the style that the test before has added, and ends what is still moving.
AS_OPENED = """
css => {
  document.getElementById("of-a-test")?.remove()
  if (css) document.head.append(Object.assign(document.createElement("style"), { id: "of-a-test", textContent: css }))
  scrollTo({ left: 0, top: 0, behavior: "instant" })
  document.getAnimations().forEach(animation => animation.finish())
}
"""
LOAD_SEARCH = """async () => {
  const loaded = new Promise(resolve => { globalThis.searchIn = data => resolve(makeSearch(data)) })
  const sections = document.getElementById("search-results").dataset.sections
  document.head.append(Object.assign(document.createElement("script"), { src: sections }))
  globalThis.loadedSearch = await loaded
}"""
FIND = """queries => {
  const { find, correct } = globalThis.loadedSearch
  const place = ({ section: { page, id } }) => id ? `${page}#${id}` : page
  return queries.map(query => find(correct(query)).map(place))
}"""


def page_of(nodeid):
    """Return the page in a language that a test is about, by its ID; "" if there is no one page."""
    page = PAGE.search(nodeid)
    return f"{page[1]}-{page[2] or BOOK.source_language}" if page else ""


class ByPage(LoadScopeScheduling):
    """Give the tests of a page to one worker, since they share the opened page, and the others by their modules.

    The groups of pytest-xdist 3.8 have no effect with pytest 9.2: https://github.com/pytest-dev/pytest-xdist/issues/1386
    """

    def _split_scope(self, nodeid):
        return page_of(nodeid) or nodeid.partition("::")[0]


def pytest_xdist_make_scheduler(config, log):
    return ByPage(config, log)


def pytest_collection_modifyitems(items):
    """Put the tests of a page after each other."""
    items.sort(key=lambda item: page_of(item.nodeid))


@pytest.fixture(scope="session")
def address():
    """Where the built book is served on this machine."""
    folder = site.published(BOOK)
    assert folder.is_dir(), "there is no built book: run ./ci/book.sh first"
    with served(folder) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    """The Chromium of this machine; without one, the tests that need it are skipped."""
    path = installed.find_browser()
    if not path:
        pytest.skip("no browser here (Debian: apt install chromium fonts-nanum): pages were not opened")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=[*installed.OPTIONS, OFFLINE])
        yield chromium
        chromium.close()


def tab(browser, start, **options):
    """A page in a context of its own, with the list of what goes wrong on it."""
    page, errors = browser.new_context(**options).new_page(), []

    def keep_errors(message):
        if message.type == "error" and not message.location["url"].endswith("/favicon.ico"):  # pages name their own
            errors.append(message.text)

    def refuse_other_sites(request):
        if not request.url.startswith(start):
            errors.append(f"request to another site: {request.url}")

    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", keep_errors)
    page.on("response", lambda response: response.status < 400 or errors.append(f"{response.status} {response.url}"))
    page.on("request", refuse_other_sites)
    return SimpleNamespace(page=page, errors=errors)


@pytest.fixture
def open_page(browser, address):
    """Opens a page of the book, or a file of it; returns it with the list of what goes wrong on it."""
    contexts = []

    def open_page(path, start=address, **options):
        new = tab(browser, start, **options)
        contexts.append(new.page.context)
        new.page.goto(f"{start}/{path}", wait_until="load")
        return new.page, new.errors

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def shown(browser, address):
    """Shows a page to tests that only look at it: they share one opened page for each width of the window."""
    tabs, names = {}, {}

    def shown(name, language, size=DESKTOP, scheme="light", css=""):
        """Returns its page and its errors; the page is as a reader finds it, with this style added."""
        width = size["width"]
        if width not in tabs:
            tabs[width] = tab(browser, address, viewport=size)
        page = tabs[width].page
        if page.viewport_size != size:
            page.set_viewport_size(size)
        if names.get(width) != (name, language):
            tabs[width].errors.clear()
            page.emulate_media(media="screen", color_scheme="light")
            page.goto(f"{address}/{language}/{name}.html", wait_until="load")
            names[width] = name, language
        page.emulate_media(media="screen", color_scheme=scheme)
        page.evaluate(AS_OPENED, css)
        return tabs[width]

    yield shown
    for opened in tabs.values():
        opened.page.context.close()


@pytest.fixture(scope="session")
def search_page(browser, address):
    """Returns the search page of a language, opened once and with its index loaded."""
    tabs = {}

    def search_page(language):
        if language not in tabs:
            tabs[language] = tab(browser, address, viewport=DESKTOP)
            tabs[language].page.goto(f"{address}/{language}/{SEARCH}.html")
            tabs[language].page.evaluate(LOAD_SEARCH)
        return tabs[language].page

    yield search_page
    assert [opened.errors for opened in tabs.values() if opened.errors] == []


@pytest.fixture(scope="session")
def find(search_page):
    """Returns all places that the search page of a language finds for each query: "page#section", best first."""
    return lambda language, queries: search_page(language).evaluate(FIND, queries)
