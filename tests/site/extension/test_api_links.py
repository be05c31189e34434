"""Names in code that lead to their documentation: the code stays what it is."""

import pytest
from bs4 import BeautifulSoup
from pygments import highlight
from pygments.lexers import get_lexer_by_name

from ci.book import here
from ci.execution.cache import code_cells, read
from ci.site import documentation
from ci.site.documentation import names
from ci.site.extension.api_links import LinkingFormatter
from ci.site.extension.output.light import Day, Night, light_formatter

BOOK = here()
FORMATTERS = [LinkingFormatter, light_formatter([Day, Night])]
IMPORTS = "```{code-cell}\nimport jax.numpy as jnp\n```\n"
USE = "```{code-cell}\njnp.mean(x) + jnp.mean(y)\n```\n"


def linked(code, links, formatter, **options):
    """The links in highlighted code, [(text, address)], and all of its text."""
    html = highlight(code, get_lexer_by_name("ipython3"), formatter(links=links, **options))
    page = BeautifulSoup(html, "html.parser")
    return [(link.get_text(), link["href"]) for link in page.select("a")], page.pre.get_text()


@pytest.mark.parametrize("formatter", FORMATTERS)
def test_links_stand_where_the_names_are(formatter):
    code = 'x = nn.Dense(f"{nn.relu}")\nnn.Dense\n'
    links = [(1, 4, 12, "https://a.org/?b&c#d"), (1, 16, 23, "https://a.org/e"), (2, 0, 8, "https://a.org/f")]
    found = [("nn.Dense", "https://a.org/?b&c#d"), ("nn.relu", "https://a.org/e"), ("nn.Dense", "https://a.org/f")]
    assert linked(code, links, formatter) == (found, code)


@pytest.mark.parametrize("formatter", FORMATTERS)
def test_words_that_differ_are_marked_within_a_link(formatter):
    options = {"changed": [(1, 7, 14)], "hl_lines": [1]}
    html = highlight("x = nn.Dense(2)\n", get_lexer_by_name("python"), formatter(links=[(1, 4, 12, "a")], **options))
    page = BeautifulSoup(html, "html.parser")
    assert page.a.get_text() == "nn.Dense"
    assert "".join(one.get_text() for one in page.select(".changed")) == "Dense(2"
    assert page.a.select_one(".changed").get_text() == "Dense"
    assert html.count("<a ") == html.count("</a>") == 1


@pytest.mark.parametrize("formatter", FORMATTERS)
@pytest.mark.parametrize("name", BOOK.chapters)
def test_the_code_of_the_book_is_the_same_with_links(name, formatter):
    cells = [cell.source for cell in code_cells(read(BOOK, name))]
    known = documentation.load(documentation.addresses(BOOK))
    for code, uses in zip(cells, names.uses(cells), strict=True):
        found = [
            (use.line, use.start, use.start + len(use.written), at) for use, at in filter(None, map(known.find, uses))
        ]
        links, text = linked(code, found, formatter)
        assert text == code.strip("\n") + "\n"
        assert [address for _text, address in links] == [address for *_place, address in found]


@pytest.fixture
def small(book, conf, build, monkeypatch):
    """Builds a page of the small book, with one documented name; returns what a builder writes of it."""
    monkeypatch.setattr(documentation, "FOLDER", book.root)
    entry = documentation.Entry("jax.numpy.mean", "function", "1", "page.html#$", "-")
    head = documentation.HEAD + "#\n" * (documentation.LINES - 1)
    documentation.path("jax").write_bytes(documentation.pack(head, [entry]))
    conf("side_by_side", "api_links", book_documentation={"jax": "https://docs.org"})

    def small(text, builder="html"):
        app, out = build({"index": text}, builder)
        return "".join(path.read_text(encoding="utf-8") for path in out.glob("index.*html"))

    return small


def test_a_name_leads_to_its_documentation_where_it_is_used_first(small):
    page = BeautifulSoup(small(f"# A\n\n{IMPORTS}\n{USE}\n{USE}\n## B\n\n{USE}\n"), "html.parser")
    links = page.select(".highlight a")
    assert [link["href"] for link in links] == ["https://docs.org/page.html#jax.numpy.mean"]
    assert {link.get_text() for link in links} == {"jnp.mean"}
    assert all(set(link.attrs) == {"href"} for link in links)
    assert [block.get_text() for block in page.select(".cell_input pre")][1] == "jnp.mean(x) + jnp.mean(y)\n"


@pytest.mark.parametrize("builder", ["epub", "dirhtml"])
def test_only_the_site_has_links(small, builder):
    assert "https://docs.org" not in small(f"# A\n\n{IMPORTS}\n{USE}\n", builder)


def test_a_build_without_an_inventory_says_what_fetches_it(book, small):
    documentation.path("jax").unlink()
    with pytest.raises(Exception, match="./ci/book.sh inventories"):
        small("# A\n")
