"""Terms in place: reached by keyboard and touch, without scripts, on a phone and beside the term."""

import pytest

from ci.catalogues.glossary import definitions
from tests.pages.reading import BOOK, SIZES, each, parsed


@SIZES
@pytest.mark.parametrize("language", BOOK.languages)
def test_the_keyboard_opens_a_definition_and_closes_it_without_scripts(open_page, language, size):
    page, errors = open_page(f"{language}/{BOOK.chapters[0]}.html", viewport=size, java_script_enabled=False)
    term = page.locator("article button.term").first
    term.scroll_into_view_if_needed()
    term.focus()
    page.keyboard.press("Enter")
    definition = page.locator(".definition:popover-open")
    assert any(definition.inner_text().endswith(text) for text in definitions(BOOK, language).values())
    box = definition.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"]
    assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"]
    page.keyboard.press("Escape")
    assert definition.count() == 0 and errors == []


@each(BOOK.chapters)
def test_a_chapter_explains_each_term_once(name, language):
    page = parsed(name, language)
    targets = [term["popovertarget"] for term in page.select("article .term")]
    assert len(targets) >= 10 and len(set(targets)) == len(targets)
    assert [definition["id"] for definition in page.select("article .definition")] == targets
