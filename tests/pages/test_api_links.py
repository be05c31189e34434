"""Names in code that lead to their documentation, on the pages as published."""

import pytest

from ci.execution.cache import code_cells, read
from tests.pages.reading import BOOK, DESKTOP, parsed

LINKS = ".cell_input pre a"
REMOVED = {"remove-cell", "remove-input"}
ADDRESSES = tuple(address for address, _file in BOOK.config["sphinx"]["config"]["intersphinx_mapping"].values())
UNDERLINED = "link => getComputedStyle(link).textDecorationLine"
COLOURS = "link => [link, link.parentElement].map(one => getComputedStyle(one).color)"


@pytest.mark.parametrize("name", BOOK.chapters)
def test_names_lead_to_the_documentation_in_all_languages_alike_and_the_code_stays(name):
    shown = [cell.source for cell in code_cells(read(BOOK, name)) if REMOVED.isdisjoint(cell.metadata.get("tags", []))]
    written = [block.get_text() for block in parsed(name, BOOK.source_language).select(".cell_input pre")]
    assert written == [code + "\n" for code in shown]
    links = [
        [(link.get_text(), link["href"]) for link in parsed(name, language).select(LINKS)]
        for language in BOOK.languages
    ]
    assert links[0]
    assert all(address.startswith(ADDRESSES) for _text, address in links[0])
    assert all(others == links[0] for others in links)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_link_looks_like_code_until_somebody_comes_near(open_page, scheme):
    page, _ = open_page(f"{BOOK.source_language}/{BOOK.chapters[0]}.html", viewport=DESKTOP, color_scheme=scheme)
    link = page.locator(LINKS).first
    assert len(set(link.evaluate(COLOURS))) == 1
    assert link.evaluate(UNDERLINED) == "none"
    link.hover()
    assert link.evaluate(UNDERLINED) == "underline"
