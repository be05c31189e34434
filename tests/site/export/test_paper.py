from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from ci.book import BookError
from ci.site import publish
from ci.site.export import paper

SITE = "https://example.github.io/small/en"


@pytest.mark.parametrize(
    "href, leads_to",
    [
        ("#top", "#page-2-top"),
        ("../index.html", "#page-1"),
        ("../index.html#top", "#page-1-top"),
        ("one.html#top", "#page-2-top"),
        ("one.ipynb", f"{SITE}/book/part/one.ipynb"),
        ("../../search.html#top", f"{SITE}/search.html#top"),
        ("https://docs.jax.dev/#top", "https://docs.jax.dev/#top"),
        ("mailto:a@example.org", "mailto:a@example.org"),
    ],
)
def test_a_link_leads_into_the_document_or_to_the_site(href, leads_to):
    document = paper.Document(Path(), SITE, paper.anchors(["book/index", "book/part/one"]))
    assert document.target(href, "book/part/one") == leads_to


@pytest.fixture
def printed(built):
    """The document of the whole book, parsed."""
    return BeautifulSoup(paper.document(built, "en", built.pages), "html.parser")


def test_the_document_has_all_articles_in_order_and_nothing_else_of_the_site(printed):
    titles = [heading.get_text() for heading in printed.select("section.page h1")]
    assert titles == ["A small book", "Part one", 'One & "only"']
    entries = [(link["href"], link.span.get_text()) for link in printed.select(".book-contents a")]
    assert entries == [("#page-1", "A small book"), ("#page-2", 'One & "only"')]
    assert printed.select(".page-tools, .headerlink, details, summary, .definition, .report, .only-dark, button") == []
    assert printed.find("pre").get_text() == "1 + 1"
    assert "A key" in printed.get_text()
    assert "Kim & Lee" in printed.select_one(".title-page").get_text()


def test_ids_are_unique_and_links_and_pictures_hold(built, printed):
    ids = [element["id"] for element in printed.find_all(id=True)]
    assert len(ids) == len(set(ids))
    assert printed.select_one("article a")["href"] == "#page-2-cells"
    image = printed.find("img")
    assert image["src"] == (publish.published(built) / "en" / "_images" / "a.png").as_uri()
    assert "loading" not in image.attrs


def test_bookmarks_have_chapters_below_their_part(printed):
    levels = [heading.get("aria-level", "1") for heading in printed.select("section.page h1")]
    assert levels == ["2", "1", "2"]


def test_a_page_that_was_not_built_is_said(built):
    (publish.published(built) / "en" / "book" / "part" / "one.html").unlink()
    with pytest.raises(BookError, match="book/part/one is not in the built book; run ./ci/book.sh first"):
        paper.document(built, "en", built.pages)


def test_without_a_built_book_there_is_nothing_to_print(book):
    with pytest.raises(BookError, match="there is no built book"):
        paper.document(book, "en", book.pages)
