"""Small print under the outputs of a small notebook, in two languages and in an EPUB."""

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from sphinx.errors import ExtensionError

from ci.book import TOOLS
from ci.site.extension.cells.tolerances import DIFFER, TIMES


def cell(printed="loss 0.5\n", **metadata):
    outputs = [new_output("stream", text=printed)] if printed else []
    return new_code_cell("run()", metadata=metadata, outputs=outputs)


@pytest.fixture
def page(conf, build, book):
    """Renders a page with cells; returns it parsed."""

    def page(*cells, builder="html", **settings):
        conf("elements", "side_by_side", "labels", "tolerances", templates_path=[])
        notebook = new_notebook(cells=[new_markdown_cell("# Page"), *cells])
        (book.root / "page.ipynb").write_text(nbformat.writes(notebook), encoding="utf-8")
        _, output = build({"index": "# Index\n\n```{toctree}\npage\n```\n"}, builder, **settings)
        (written,) = output.rglob("page.*html")
        return BeautifulSoup(written.read_text(encoding="utf-8"), "html.parser")

    return page


def said(page):
    return [line.get_text() for line in page.select(".cell_output > p.tolerance:last-child")]


def test_the_page_says_the_tolerance_under_outputs_that_it_shows(page):
    silent = [cell(), cell("", tolerance="1%"), cell(tags=["remove-output"], tolerance="2%")]
    pair = [cell(tags=["without"], tolerance="3%"), cell(tags=["with"], tolerance="0.02%")]
    written = page(*silent, *pair, cell(tags=["hide-cell"], tolerance="28 %"))
    assert said(written) == [f"Numbers may differ by {number} %." for number in ("3", "0.02", "28")]
    assert len(written.select(".side .tolerance")) == 2
    assert len(written.select("details .tolerance")) == 1


def test_an_epub_says_so_too_in_its_language(page, book, catalogue):
    catalogue(book.catalogue(TOOLS, "ko"), {DIFFER: "{percent}%까지 다를 수 있습니다."})
    assert said(page(cell(tolerance="5%"), builder="epub", language="ko")) == ["5%까지 다를 수 있습니다."]


def test_the_page_says_whose_times_it_shows(page):
    assert said(page(cell("3.21 s\n", tolerance="times"))) == [TIMES]


def test_a_tolerance_that_is_no_percentage_fails_the_build(page):
    with pytest.raises(ExtensionError, match="is no percentage"):
        page(cell(tolerance="much"))
