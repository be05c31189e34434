"""The built book, served as a reader meets it, in a real browser."""

import pytest
from playwright.sync_api import sync_playwright

from ci.book import here
from ci.site import browser as installed
from ci.site import publish as site

BOOK = here()


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


@pytest.fixture
def open_page(browser, address):
    """Opens a page of the book, or a file of it; returns it with the list of what went wrong on it."""
    contexts = []

    def open_page(path, start=address, **options):
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        errors = []

        def only_ours(route):
            if route.request.url.startswith(start):
                route.continue_()
            else:
                errors.append(f"request to another site: {route.request.url}")
                route.abort()

        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: message.type == "error" and errors.append(message.text))
        page.on("response", lambda response: response.ok or errors.append(f"{response.status} {response.url}"))
        page.route("**/*", only_ours)
        page.goto(f"{start}/{path}", wait_until="load")
        return page, errors

    yield open_page
    for context in contexts:
        context.close()
