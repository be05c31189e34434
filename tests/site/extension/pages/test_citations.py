import pytest
import yaml
from bs4 import BeautifulSoup
from sphinx.errors import ExtensionError

from ci.site import citation
from tests.site.test_citation import FACTS, SOURCE

SITE = "https://example.github.io/small"


def page(*arguments):
    return {"index": "# Page\n\n" + "".join(f"```{{citation}} {argument}\n```\n\n" for argument in arguments)}


@pytest.fixture(autouse=True)
def facts(book):
    facts = FACTS | {"references": [{"type": "book"} | SOURCE, {"type": "data"} | SOURCE]}
    (book.root / citation.FILE).write_text(yaml.safe_dump(facts))


@pytest.fixture
def read(conf, build):
    """Builds a page with these citations; returns the application and (text, link, entry) of each."""

    def read(*arguments, **settings):
        conf("tables", "citations", **settings)
        app, output = build(page(*arguments))
        soup = BeautifulSoup((output / "index.html").read_text(encoding="utf-8"), "html.parser")
        entries = [block.get_text() for block in soup.select("pre")]
        lines = [(line.get_text(), line.a["href"]) for line in soup.select(".cited p")]
        return app, [(*line, entry) for line, entry in zip(lines, entries, strict=True)]

    return read


def test_the_book_a_page_and_the_data_are_cited(read):
    _app, shown = read("book", "book/part/one", "data")
    links = [f"{SITE}/en/", f"{SITE}/en/book/part/one.html", "https://doi.org/10.1/a_b"]
    assert [link for _line, link, _entry in shown] == links
    assert all(line.endswith(link) and f"url = {{{link}}}" in entry for line, link, entry in shown)
    assert "A. B. Kim: One. In: A small book." in shown[1][0]


def test_titles_are_those_of_the_language(read, book, catalogue):
    catalogue(book.catalogue("book/index", "ko"), {"A small book": "작은 책"})
    catalogue(book.catalogue("book/part/one", "ko"), {"One": "하나"})
    _app, [(line, link, entry)] = read("book/part/one", language="ko")
    assert "하나" in line and "작은 책" in line and "하나" in entry
    assert link == f"{SITE}/ko/book/part/one.html"


def test_the_catalogue_of_the_page_need_not_have_the_line(conf, build, book, catalogue):
    conf("tables", "citations", language="ko", locale_dirs=["locale"], translation_progress_classes="untranslated")
    catalogue(book.catalogue("index", "ko"), {"Page": "페이지"})
    text = page("data")["index"] + "Not translated.\n"
    _app, output = build({"index": text})
    soup = BeautifulSoup((output / "index.html").read_text(encoding="utf-8"), "html.parser")
    assert [node.get_text() for node in soup.select("article .untranslated, .body .untranslated")] == [
        "Not translated."
    ]


def test_what_cannot_be_cited_is_an_error(read):
    with pytest.raises(ExtensionError, match="index: books cannot be cited: write book, data or the name of a page"):
        read("books")


def test_nothing_of_it_is_a_message_of_the_catalogues(conf, build):
    conf("tables", "citations")
    _app, output = build(page("book"), "gettext")
    assert "Edition" not in (output / "index.pot").read_text(encoding="utf-8")
