"""Two cells side by side: no line of code is cut where they stand as two columns."""

import pytest

from ci.book import here
from ci.notebooks import form
from tests.pages.reading import beside_another, first_with_columns

BOOK = here()
COLUMNS = form.NARROW  # of code in a cell of a pair
WIDE = (1280, 1440, 1920)
OTHERS = (390, 768, 900, 945, 1008, 1024, 1190, 1210, 1366, 1401, 1536, 1553, 1600, 2560)
# A scrollbar takes room, and this browser shows none; code that waits with its layout cannot be measured.
AS_READ = "html { margin-inline-end: 15px } * { content-visibility: visible !important }"
MEASURE = """
() => [...document.querySelectorAll(".side-by-side")].flatMap(pair => {
  const [left, right] = [...pair.children].map(side => side.getBoundingClientRect())
  return [...pair.querySelectorAll(".cell_input pre")].map(code => ({
    two: left.top === right.top && left.right < right.left,
    columns: Math.max(...code.textContent.split("\\n").map(line => line.length)),
    cut: code.scrollWidth > code.clientWidth,
  }))
})
"""
FILL = """
columns => document.querySelectorAll(".side .cell_input pre").forEach(code => {
  code.textContent = "m".repeat(columns)
})
"""
PROSE = """
() => [...document.querySelectorAll("article section > p")].map(
  one => one.clientWidth / parseFloat(getComputedStyle(one).fontSize))
"""


@pytest.fixture
def opened(open_page):
    """Opens a page of the book as a reader with a scrollbar sees it."""

    def opened(name, language):
        page, _ = open_page(f"{language}/{name}.html")
        page.add_style_tag(content=AS_READ)
        return page

    return opened


def measured(page, width):
    """The columns of code on a page so many pixels wide, which nothing makes wider."""
    page.set_viewport_size({"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"wider than {width}"
    return page.evaluate(MEASURE)


@pytest.mark.parametrize("language", BOOK.languages)
@pytest.mark.parametrize("name", BOOK.chapters)
def test_no_column_of_a_pair_is_cut(shown, name, language):
    page, expected = shown(name, language, css=AS_READ).page, beside_another(name)
    for width in WIDE:
        found = measured(page, width)
        assert [one["columns"] for one in found] == expected
        assert [(width, one) for one in found if not one["two"]] == []
        assert [(width, one) for one in found if one["columns"] <= COLUMNS and one["cut"]] == []


def test_there_are_columns_that_must_not_be_cut():
    assert sum(columns <= COLUMNS for name in BOOK.chapters for columns in beside_another(name)) >= 20


@pytest.mark.parametrize("language", BOOK.languages)
def test_the_longest_line_fits_wherever_there_are_two_columns(opened, language):
    page = opened(first_with_columns(), language)
    page.evaluate(FILL, COLUMNS)
    two = {width: [one for one in measured(page, width) if one["two"]] for width in (*WIDE, *OTHERS)}
    assert {width for width, found in two.items() if found} >= set(WIDE)
    assert [width for width, found in two.items() if any(one["cut"] for one in found)] == []


@pytest.mark.parametrize("width", WIDE)
def test_prose_does_not_grow_with_the_columns(opened, width):
    page = opened(BOOK.chapters[0], BOOK.source_language)
    measured(page, width)
    assert 40 < max(page.evaluate(PROSE)) < 46.1  # em, and the pixel to which it is rounded


@pytest.mark.parametrize("name", BOOK.chapters)
def test_changed_words_are_marked_not_by_colour_alone(shown, name):
    page = shown(name, BOOK.source_language).page
    words = page.locator(".side .hll .changed")
    assert words.count() > 0 or page.locator(".side").count() == 0
    for media in ("screen", "print"):
        page.emulate_media(media=media)
        lines = words.evaluate_all("words => words.map(word => getComputedStyle(word).textDecorationLine)")
        assert set(lines) <= {"underline"}
