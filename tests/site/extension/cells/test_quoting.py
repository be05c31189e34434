"""The front page shows cells and figures of chapters, in a small book that Sphinx really renders."""

import base64
import io

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_output
from PIL import Image

from ci.execution.cache import code_cells, read
from ci.site.extension.build_cache import BuildCache, opened
from ci.site.extension.cells import quoting

FRONT = """\
# Front

```{{quoted-cells}} one
{line}
```

```{{gallery}}
one {number}
```
"""


def png(colour):
    written = io.BytesIO()
    Image.new("RGB", (640, 400), colour).save(written, "PNG")
    return base64.b64encode(written.getvalue()).decode()


@pytest.fixture
def front(conf, build, book, monkeypatch):
    """Renders a front page about the chapter of the small book, whose first cell has shown a figure."""
    conf("page_tools", "quoting", exclude_patterns=["_build"])
    code = book.source("book/part/one").read_text(encoding="utf-8").partition("---\n\n")[2]

    def fetch(_cache, name):
        if (entry := executed_before(_cache, name)) is None:
            return None
        cells = code_cells(entry.notebook)
        cells[0].outputs = [new_output("display_data", {"image/png": png("red")})]
        cells[0].metadata["mystnb"] = {"image": {"alt": "A <red> square."}}
        return entry

    executed_before = BuildCache.fetch
    monkeypatch.setattr(BuildCache, "fetch", fetch)

    def front(line, number):
        pages = {"book/part/one": code, "book/index": FRONT.format(line=line, number=number), "index": "# Index\n"}
        app, output = build(pages)
        page = (output / "book" / "index.html").read_text(encoding="utf-8")
        return BeautifulSoup(page, "html.parser"), app.warning.getvalue(), app

    return front


def first_line(book):
    return code_cells(read(book, "book/part/one"))[0].source.splitlines()[0]


def test_a_page_shows_cells_and_figures_of_a_chapter(front, book, execute):
    execute()
    page, _said, _app = front(first_line(book), 1)
    assert first_line(book) in page.select_one(".cell_input pre").get_text()
    assert page.select_one(".cell_output img")["alt"] == "A <red> square."
    links = page.select(".cell ~ div:not(.gallery) a")
    assert links[0]["href"].endswith("part/one.html") and "colab" in links[1]["href"]
    [entry] = page.select(".gallery > div")
    assert entry.img["alt"] == "" and entry.a["href"].endswith("part/one.html")
    assert entry.a.get_text() == "One"


def test_a_page_is_read_again_once_a_chapter_that_it_quotes_has_other_outputs(front, book, execute, edit):
    execute()
    line = first_line(book)
    app = front(line, 1)[2]
    edit(book.source("book/part/one"), "Some text.", "Another text.")
    app.cache = opened(book)
    assert quoting.outdated(app, app.env) == []
    edit(book.source("book/part/one"), "1 + 1", "1 + 2")
    execute()
    app.cache = opened(book)
    assert quoting.outdated(app, app.env) == ["book/index"]


def test_a_small_figure_is_small():
    with Image.open(io.BytesIO(quoting.small(base64.b64decode(png("blue"))))) as small:
        assert (small.size, small.mode) == ((320, 200), "P")


@pytest.mark.parametrize(
    "line, number, what",
    [
        ("no such line", 1, "book/part/one has 0 cells with 'no such line'"),
        ("", 2, "book/part/one has no figure 2"),
        ("", 0, "book/part/one has no figure 0"),
        ("", "first", "book/part/one has no figure first"),
    ],
)
def test_what_is_not_there_is_said(front, book, execute, line, number, what):
    execute()
    _page, said, _app = front(line or first_line(book), number)
    assert f"book/index: {what}" in said
