"""The front page shows cells and figures of chapters, in a small book that Sphinx really renders."""

import base64
import io
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_output
from PIL import Image

from ci.execution.cache import Cache, code_cells, read
from ci.site.extension.cells import quoting

FRONT = """\
# Front

```{{quoted-cells}} one
{line}
```

```{{gallery}}
| chapter | read it when | in depth |
|---|---|---|
| [One](part/one.md) | you count | [more](part/one.md) |
| [{second}]({second}.md) | you are done | |
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

    executed_before = Cache.fetch
    monkeypatch.setattr(Cache, "fetch", fetch)

    def front(line, second="part/one"):
        pages = {"book/part/one": code, "book/index": FRONT.format(line=line, second=second), "index": "# Index\n"}
        app, output = build(pages)
        page = (output / "book" / "index.html").read_text(encoding="utf-8")
        return BeautifulSoup(page, "html.parser"), app.warning.getvalue(), app

    return front


def first_line(book):
    return code_cells(read(book, "book/part/one"))[0].source.splitlines()[0]


def test_a_page_shows_cells_and_figures_of_a_chapter(front, book, execute):
    execute()
    page, _said, app = front(first_line(book))
    assert first_line(book) in page.select_one(".cell_input pre").get_text()
    assert page.select_one(".cell_output img")["alt"] == "A <red> square."
    links = page.select(".cell + div a")
    assert links[0]["href"].endswith("part/one.html") and "colab" in links[1]["href"]
    first, second = page.select(".gallery > ul > li")
    assert first.img["alt"] == "A <red> square."
    with Image.open(Path(app.outdir, "book", first.img["src"])) as figure:
        assert (figure.size, figure.mode) == ((640, 400), "P")
    assert [link["href"] for link in first.select("a")] == ["part/one.html", "part/one.html"]
    texts = [[line.get_text() for line in card.select("p")] for card in (first, second)]
    assert texts[0] == ["One", "1 min · read it when", "you count", "in depth: more"]
    assert texts[1] == ["part/one", "1 min · read it when", "you are done"]


def test_the_cards_are_translated_like_a_table(conf, build):
    conf("page_tools", "quoting", exclude_patterns=["_build"])
    _app, output = build({"index": FRONT.format(line="a line", second="index")}, "gettext")
    messages = (output / "index.pot").read_text(encoding="utf-8")
    assert 'msgid "read it when"' in messages and 'msgid "[more](part/one.md)"' in messages


def test_a_line_that_is_not_there_is_said(front, execute):
    execute()
    assert "book/index: book/part/one has 0 cells with 'no such line'" in front("no such line")[1]


def test_a_chapter_without_a_figure_is_said(front, book, execute, monkeypatch):
    execute()
    monkeypatch.setattr(quoting, "_figures", lambda _cell: iter(()))
    assert "book/index: book/part/one has no figure" in front(first_line(book))[1]
