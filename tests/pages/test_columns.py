"""Two cells side by side: no line of code is cut where they stand as two columns."""

from ci.notebooks import faults
from tests.pages.reading import BOOK, FITS, PHONE, TUTORIAL, beside_another

COLUMNS = faults.NARROW  # of code in a cell of a pair
WIDE = (1280, 1440, 1920)
OTHERS = (390, 768, 900, 945, 1008, 1024, 1190, 1210, 1366, 1401, 1536, 1553, 1600, 2560)
# A scrollbar takes room, and this browser shows none; code that waits with its layout cannot be measured.
AS_READ = "html { margin-inline-end: 15px }"
MEASURE = """
() => [...document.querySelectorAll(".side-by-side")].flatMap(pair => {
  const [left, right] = [...pair.children].map(side => side.getBoundingClientRect())
  return [...pair.querySelectorAll(".cell_input pre")].map(code => ({
    two: left.top === right.top && left.right < right.left,
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


def measured(page, width):
    """The columns of code on a page so many pixels wide, which nothing makes wider."""
    page.set_viewport_size({"width": width, "height": 900})
    assert page.evaluate(FITS), f"wider than {width}"
    return page.evaluate(MEASURE)


def test_the_longest_line_fits_wherever_there_are_two_columns_as_on_desktops_and_never_on_phones(open_page):
    page, _errors = open_page(f"{BOOK.source_language}/{TUTORIAL}.html")
    page.add_style_tag(content=AS_READ)
    page.evaluate(FILL, COLUMNS)
    two = {width: [pair for pair in measured(page, width) if pair["two"]] for width in (*WIDE, *OTHERS)}
    assert all(len(two[width]) == len(beside_another(TUTORIAL)) for width in WIDE) and two[PHONE["width"]] == []
    assert [width for width, pairs in two.items() if any(pair["cut"] for pair in pairs)] == []


def test_prose_does_not_grow_with_the_columns(shown):
    page = shown(TUTORIAL, BOOK.source_language, css=AS_READ).page
    for width in WIDE:
        measured(page, width)
        assert 40 < max(page.evaluate(PROSE)) < 46.1  # em, and the pixel to which it is rounded


def test_changed_words_are_marked_not_by_colour_alone(shown):
    page = shown(TUTORIAL, BOOK.source_language).page
    words = page.locator(".side .hll .changed")
    for media in ("screen", "print"):
        page.emulate_media(media=media)
        lines = words.evaluate_all("words => words.map(word => getComputedStyle(word).textDecorationLine)")
        assert set(lines) == {"underline"}
