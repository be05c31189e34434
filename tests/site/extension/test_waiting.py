"""Sections and cells that wait with their layout: which of them may, and how much they say they hold."""

import pytest
from bs4 import BeautifulSoup
from docutils import nodes

from ci.site.extension.waiting import PHONE, STACKED, WIDE, rows

PRINTS = """\
```{code-cell}
for number in range(5):
    print(number)
```
"""
FOLDED = """\
```{code-cell}
:tags: [hide-input]

a = 1
b = 2
print(a + b)
```
"""
TABLE = """\
```{code-cell}
from IPython.display import HTML

HTML("<table><tr><td>1</td></tr></table>")
```
"""
PAIR = """\
```{code-cell}
:tags: [without]

a = 1
```

```{code-cell}
:tags: [with]

a = 1
b = 2
```
"""
LONG = "long = '" + 40 * "x" + "'"


@pytest.fixture
def page(conf, build):
    """Builds a page and reads it."""
    conf("side_by_side", "waiting", nb_execution_mode="force", nb_execution_timeout=60)

    def page(text):
        _, output = build({"index": f"# Page\n\n{text}"})
        return BeautifulSoup((output / "index.html").read_text(encoding="utf-8"), "html.parser")

    return page


@pytest.mark.parametrize("cell, rows", [(PRINTS, (2 + 1) + (5 + 1)), (FOLDED, 2 + (1 + 1))])
def test_a_cell_keeps_the_room_of_what_it_shows(page, cell, rows):
    assert page(cell).select_one("div.cell")["style"] == f"--rows: {rows}"


def test_a_cell_with_a_table_does_not_wait(page):
    (cell,) = page(TABLE).select("div.cell")
    assert cell.select_one("table")
    assert "style" not in cell.attrs


def test_code_too_wide_for_a_phone_can_be_scrolled_from_the_keyboard(page):
    blocks = page(f"```python\n{LONG}\nshort = 1\n```\n\n```python\nshort = 1\n```\n").select("pre")
    assert [block.get("tabindex") for block in blocks] == ["0", None]


def test_a_section_says_how_much_it_holds(page):
    section = page(f"## Section\n\nTen letters\n\n열 글자\n\n{PAIR}").select_one("#section")
    title, paragraphs = 2, 2
    letters = len("Ten letters") + len("열 글자") + len("열글자")  # a Korean syllable is as wide as two letters
    higher, lower = 1 + 2 + 1, 1 + 1 + 1
    found = dict(part.split(": ") for part in section["style"].split("; "))
    assert int(found["--rows"]) == title + paragraphs + higher
    assert int(found["--stacked"]) == title + paragraphs + higher + lower
    assert found["--phone"] == found["--stacked"]
    assert int(found["--letters"]) == letters + len("Without") + len("With")


def test_a_table_takes_more_lines_on_a_phone_where_its_cells_stand_under_each_other(page):
    table = f"| see | cause | test |\n|---|---|---|\n| short | {'long ' * 30} | |\n"
    found = dict(
        part.split(": ") for part in page(f"## Section\n\n{table}").select_one("#section")["style"].split("; ")
    )
    title, space = 2, 1
    head, wide = space + 1, space + 2
    assert int(found["--rows"]) == int(found["--stacked"]) == title + head + wide
    assert int(found["--phone"]) == title + space + 1 + 1 + 4
    assert int(found["--letters"]) == 0


def test_tiles_of_a_gallery_are_smaller_than_a_figure_and_stand_in_rows():
    tiles = [nodes.container("", nodes.image(), nodes.inline("", "title")) for _ in range(15)]
    found = [rows(nodes.container("", *tiles, classes=["gallery"]), layout) for layout in (WIDE, STACKED, PHONE)]
    assert found == [30, 45, 60]
