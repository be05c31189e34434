"""The built book, served as a reader meets it, in a real browser."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import sync_playwright

from ci.book import here
from ci.site import browser as installed
from ci.site import publish as site
from tests.pages.reading import DESKTOP, PHONE

BOOK = here()
# But for the style that a test asks for: that of the test before goes, and nothing is still moving.
AS_OPENED = """
css => {
  document.getElementById("of-a-test")?.remove()
  if (css) document.head.append(Object.assign(document.createElement("style"), { id: "of-a-test", textContent: css }))
  scrollTo({ left: 0, top: 0, behavior: "instant" })
  document.getAnimations().forEach(animation => animation.finish())
}
"""


def page_of(item):
    """The page that a test is about, as "name-language"; "" if it is about several, or not in this folder."""
    values = item.callspec.params if hasattr(item, "callspec") else {}
    if "name" not in values or item.path.parent != Path(__file__).parent:
        return ""
    return f"{values['name']}-{values.get('language', BOOK.source_language)}"


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the marks
def pytest_collection_modifyitems(items):
    """Puts the tests of a page after each other, on one worker, since they share what is opened of it."""
    for item in items:
        if page_of(item):
            item.add_marker(pytest.mark.xdist_group(page_of(item)))
    items.sort(key=page_of)


@pytest.fixture(scope="session")
def address():
    """Where the built book is served on this machine."""
    folder = site.published(BOOK)
    assert folder.is_dir(), "there is no built book: run ./ci/book.sh first"
    with installed.served(folder) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    """A Chromium of this machine; without one, the tests that need it are skipped and counted as such."""
    found = installed.find_browser()
    if not found:
        pytest.skip("no browser here (Debian: apt install chromium fonts-nanum): pages were not opened")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=installed.OPTIONS)
        yield chromium
        chromium.close()


def tab(browser, start, **options):
    """A page in a context of its own, with what goes wrong on it, and what it is answered."""
    page = browser.new_context(**options).new_page()
    errors, responses = [], []

    def only_ours(route):
        if route.request.url.startswith(start):
            route.continue_()
        else:
            errors.append(f"request to another site: {route.request.url}")
            route.abort()

    def keep(response):
        if response.request.is_navigation_request():
            responses.clear()  # what comes late for the page before is none of this one
        responses.append(response)

    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: message.type == "error" and errors.append(message.text))
    page.on("response", lambda response: response.ok or errors.append(f"{response.status} {response.url}"))
    page.on("response", keep)
    page.route("**/*", only_ours)  # and so from no cache
    return SimpleNamespace(page=page, errors=errors, responses=responses)


@pytest.fixture
def open_page(browser, address):
    """Opens a page of the book, or a file of it; returns it with the list of what went wrong on it."""
    contexts = []

    def open_page(path, start=address, **options):
        one = tab(browser, start, **options)
        contexts.append(one.page.context)
        one.page.goto(f"{start}/{path}", wait_until="load")
        return one.page, one.errors

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def shown(browser, address):
    """Shows a page to tests that only look at it: it is opened once for all of them, and is as it was for each."""
    tabs, names = {}, {}

    def shown(name, language, size=DESKTOP, scheme="light", css=""):
        """Returns its page, its errors, and the bytes it had loaded before anyone touched it."""
        width = size["width"]
        if width not in tabs:
            tabs[width] = tab(browser, address, viewport=size)
        one = tabs[width]
        if one.page.viewport_size != size:
            one.page.set_viewport_size(size)
        if names.get(width) != (name, language):
            one.errors.clear()
            one.page.emulate_media(media="screen", color_scheme="light")
            until = "networkidle" if size == PHONE else "load"  # how much a page loads matters on a phone
            one.page.goto(f"{address}/{language}/{name}.html", wait_until=until)
            one.bytes = sum(len(response.body()) for response in one.responses)
            names[width] = name, language
        one.page.emulate_media(media="screen", color_scheme=scheme)
        one.page.evaluate(AS_OPENED, css)
        return one

    yield shown
    for one in tabs.values():
        one.page.context.close()
