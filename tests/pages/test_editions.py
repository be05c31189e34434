"""The built book beside a release of it, as a reader meets the two."""

import pytest

from ci.site import publish, releases
from tests.conftest import served
from tests.pages.reading import AXE, BOOK, FRONT, PHONE, place, search

VERSION = "1.0"
CHAPTER = BOOK.chapters[0]


@pytest.fixture(scope="module")
def editions(tmp_path_factory):
    """Where a site is served that has a release, which is the book as it was built last."""
    folder = tmp_path_factory.mktemp("editions")
    kept, site = folder / "releases", folder / "site"
    publish.assemble(BOOK, kept / VERSION, ["index.html"])
    publish.assemble(BOOK, site, publish.AT_THE_ROOT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(releases, "folder", lambda _book: kept)
        releases.add(BOOK, site)
    with served(site) as address:
        yield address


def path(version, language, name=CHAPTER):
    return "/".join(filter(None, [version, language, f"{name}.html"]))


@pytest.mark.parametrize("language", BOOK.languages)
@pytest.mark.parametrize("scripts", [True, False])
def test_the_switch_leads_to_the_same_page_and_back(open_page, editions, language, scripts):
    page, errors = open_page(path("", language), start=editions, java_script_enabled=scripts)
    page.locator(".releases summary").focus()
    page.keyboard.press("Enter")
    page.locator(".releases a", has_text=VERSION).click()
    assert page.url == f"{editions}/{path(VERSION, language)}"
    page.locator(".frozen a").click()
    assert page.url == f"{editions}/{path('', language)}"
    assert errors == []


def test_a_release_begins_in_the_language_of_the_browser(open_page, editions):
    for language in BOOK.languages:
        page, _errors = open_page(f"{VERSION}/", start=editions, locale=language)
        page.wait_for_url(f"{editions}/{path(VERSION, language, FRONT)}")


def test_the_section_that_is_read_and_the_words_that_were_searched_for_come_along(open_page, editions):
    language = BOOK.source_language
    page, _errors = open_page(f"{path('', language)}#questions", start=editions)
    place(page, "questions")
    page.locator(".releases").evaluate("one => { one.open = true }")
    page.locator(".releases a", has_text=VERSION).evaluate("link => link.click()")
    page.wait_for_url(f"{editions}/{path(VERSION, language)}#questions")
    assert search(page, f"{editions}/{VERSION}", language, "dropout")
    assert page.url.startswith(f"{editions}/{VERSION}/{language}/search.html")
    assert page.locator("#search-results a").first.evaluate("link => link.href").startswith(f"{editions}/{VERSION}/")
    page.locator(".frozen a").click()
    page.wait_for_url(f"{editions}/{language}/search.html?q=dropout**")


def test_the_switch_is_accessible_and_closes(open_page, editions):
    page, errors = open_page(path(VERSION, BOOK.source_language), start=editions, viewport=PHONE)
    switch = page.locator(".releases")
    for leave in (lambda: page.keyboard.press("Escape"), lambda: page.locator("h1").click()):
        switch.locator("summary").click()
        assert AXE.run(page).response["violations"] == []
        leave()
        assert switch.get_attribute("open") is None
    assert errors == []
