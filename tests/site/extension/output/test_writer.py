"""Which tables a phone shows row by row, what they tell the stylesheet, and code that the keyboard can scroll."""

import pytest
from bs4 import BeautifulSoup

from ci.site.extension.output import writer

LONG = "long = '" + 40 * "x" + "'"


@pytest.fixture
def style(conf, build):
    """Builds a page with a table of these headings, and returns the style that the table has."""
    conf("writer")

    def style(*headings):
        lines = [headings, ["---"] * len(headings), ["1"] * len(headings)]
        table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
        _, output = build({"index": f"# Page\n\n{table}"})
        return BeautifulSoup((output / "index.html").read_text(encoding="utf-8"), "html.parser").table.get("style")

    return style


def test_a_table_of_three_columns_names_its_headings_after_the_first(style):
    assert style("you see", "use `vmap`", "where") == '--heading-2: "use vmap"; --heading-3: "where"'


@pytest.mark.parametrize("count, is_stacked", [(2, False), (3, True), (5, True), (6, False)])
def test_fewer_columns_have_room_and_of_more_no_two_rows_would_be_seen(style, count, is_stacked):
    assert bool(style(*"abcdef"[:count])) == is_stacked


def test_a_heading_ends_neither_the_style_nor_the_tag(style):
    assert style("a", '`b"; color: red`', "`c\\<`") == r'--heading-2: "b\22 ; color: red"; --heading-3: "c\5c \3c "'


@pytest.mark.parametrize(
    "table, written",
    [
        (":header-rows: 1\n:width: 50%", "width: 50%"),  # its author has decided
        (":header-rows: 0", None),
    ],
)
def test_other_tables_stay_as_they_are(conf, build, table, written):
    conf("writer")
    _, output = build(
        {"index": f"# Page\n\n```{{list-table}}\n{table}\n\n* - a\n  - b\n  - c\n* - 1\n  - 2\n  - 3\n```\n"}
    )
    page = BeautifulSoup((output / "index.html").read_text(encoding="utf-8"), "html.parser")
    assert page.table.get("style") == written


def test_code_too_wide_for_a_phone_can_be_scrolled_from_the_keyboard(conf, build):
    conf("writer")
    _, output = build({"index": f"# Page\n\n```python\n{LONG}\nshort = 1\n```\n\n```python\nshort = 1\n```\n"})
    page = BeautifulSoup((output / "index.html").read_text(encoding="utf-8"), "html.parser")
    assert [block.get("tabindex") for block in page.select("pre")] == ["0", None]


def test_a_text_cannot_end_its_string_or_the_style_element():
    assert str(writer.css_string('a "b" \\ </style>\n')) == r'"a \22 b\22  \5c  \3c /style>\a "'
