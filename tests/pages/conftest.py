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


def opened(browser, path, start, wait_until="load", **options):
    """Opens a page in a context of its own: the page, what went wrong on it, and what it was answered."""
    page = browser.new_context(**options).new_page()
    errors, responses = [], []

    def only_ours(route):
        if route.request.url.startswith(start):
            route.continue_()
        else:
            errors.append(f"request to another site: {route.request.url}")
            route.abort()

    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: message.type == "error" and errors.append(message.text))
    page.on("response", lambda response: response.ok or errors.append(f"{response.status} {response.url}"))
    page.on("response", lambda response: responses.append(response))
    page.route("**/*", only_ours)
    page.goto(f"{start}/{path}", wait_until=wait_until)
    return SimpleNamespace(page=page, errors=errors, responses=responses)


@pytest.fixture
def open_page(browser, address):
    """Opens a page of the book, or a file of it; returns it with the list of what went wrong on it."""
    contexts = []

    def open_page(path, start=address, **options):
        one = opened(browser, path, start, **options)
        contexts.append(one.page.context)
        return one.page, one.errors

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def shown(browser, address):
    """Shows a page to tests that only look at it: it is opened once for all of them, and is as it was for each."""
    kept = {}

    def close():
        for one in kept.values():
            one.page.context.close()
        kept.clear()

    def shown(name, language, size=DESKTOP, scheme="light", css=""):
        """Returns its page, its errors, and the bytes it had loaded before anyone touched it."""
        if any(key[:2] != (name, language) for key in kept):
            close()
        key = (name, language, size["width"])
        if key not in kept:
            until = "networkidle" if size == PHONE else "load"  # how much a page loads matters on a phone
            one = opened(browser, f"{language}/{name}.html", address, wait_until=until, viewport=size)
            one.bytes = sum(len(response.body()) for response in one.responses)
            kept[key] = one
        page = kept[key].page
        if page.viewport_size != size:
            page.set_viewport_size(size)
        page.emulate_media(media="screen", color_scheme=scheme)
        page.evaluate(AS_OPENED, css)
        return kept[key]

    yield shown
    close()
