"""The front page: a card for each chapter, and a field that searches the book."""

import posixpath

import pytest
import yaml

from ci.execution.cache import code_cells, read
from ci.site import publish as site
from tests.conftest import in_depth
from tests.pages.reading import BOOK, DESKTOP, FRONT, PHONE, parsed, results, translations

LANGUAGES = pytest.mark.parametrize("language", BOOK.languages)
SEARCH_FIELD = "article .search-form input"


def led_to(link):
    """The page to which a link of the front page leads."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(FRONT), link["href"].removesuffix(".html")))


@LANGUAGES
def test_each_chapter_has_a_card_in_its_part_or_a_link_in_a_card(language):
    page, translated = parsed(FRONT, language), translations(FRONT, language)
    parts = yaml.safe_load((BOOK.root / "_toc.yml").read_text(encoding="utf-8"))["parts"]
    names = {part["caption"]: [chapter["file"] for chapter in part["chapters"]] for part in parts}
    tutorials = {name for name in BOOK.chapters if not in_depth(name)}
    shown = {
        gallery.find_previous("h3").get_text().rstrip("#"): [led_to(card.a) for card in gallery.select("li")]
        for gallery in page.select(".gallery")
    }
    assert list(shown.items()) == [
        (translated.get(caption, caption), files) for caption, files in names.items() if tutorials.issuperset(files)
    ]
    assert {led_to(link) for link in page.select(".gallery a")} == {*BOOK.chapters}


@LANGUAGES
def test_a_card_has_a_described_figure_for_each_theme_the_title_and_when_to_read_it(language):
    for card in parsed(FRONT, language).select(".gallery li"):
        translated = translations(led_to(card.a), language)
        cells = (cell.metadata.get("mystnb", {}).get("image") for cell in code_cells(read(BOOK, led_to(card.a))))
        alt = next(image["alt"] for image in cells if image)
        assert [image["alt"] for image in card.select("img")] == [translated.get(alt, alt)] * 2
        title, when, *_more = [line.get_text() for line in card.select("p")]
        assert title and when


@LANGUAGES
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_an_error_message_that_is_pasted_is_searched(open_page, address, language, scripts):
    page, errors = open_page(f"{language}/{FRONT}.html", viewport=PHONE, java_script_enabled=scripts)
    page.locator(SEARCH_FIELD).fill("TypeError: a & b")
    page.locator(SEARCH_FIELD).press("Enter")
    page.wait_for_url(f"{address}/{language}/search.html?q=TypeError%3A+a+%26+b")
    assert not scripts or results(page)
    assert errors == []


@LANGUAGES
def test_the_front_page_searches_from_its_files(open_page, language):
    page, errors = open_page(f"{language}/{FRONT}.html", start=site.published(BOOK).as_uri(), viewport=DESKTOP)
    page.locator(SEARCH_FIELD).fill("BatchNorm")
    page.locator(".search-form button").click()
    assert results(page)
    assert errors == []
