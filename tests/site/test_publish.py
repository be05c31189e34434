from xml.etree import ElementTree

import pytest

from ci.site import publish as site


@pytest.fixture
def book(book):
    """The small book with its notebooks."""
    for code in book.languages:
        notebook = book.notebook("book/part/one", code)
        notebook.parent.mkdir(parents=True)
        notebook.write_text(code)
    return book


def render(book, text="new"):
    site.clean(book)
    for code in book.languages:
        (site.rendering(book) / code / "book" / "part").mkdir(parents=True, exist_ok=True)
        page = site.rendering(book) / code / "book" / "index.html"
        page.write_text(text)


def test_all_languages_and_an_index_are_published(book):
    render(book)
    site.publish(book)
    published = site.published(book)
    assert (published / "ko" / "book" / "index.html").read_text() == "new"
    index = (published / "index.html").read_text()
    assert '<a href="ko/book/index.html" lang="ko" hreflang="ko">한국어</a>' in index
    assert '["en", "ko"]' in index


def test_each_notebook_stands_beside_its_page(book):
    render(book)
    site.publish(book)
    for code in book.languages:
        assert (site.published(book) / code / "book" / "part" / "one.ipynb").read_text() == code


def test_the_sitemap_names_every_page_in_every_language(book):
    render(book)
    site.publish(book)
    tree = ElementTree.parse(site.published(book) / "sitemap.xml")
    found = [node.text for node in tree.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]
    assert found == [
        f"https://example.github.io/small/{code}/{page}.html" for page in book.pages for code in book.languages
    ]
    assert "https://example.github.io/small/sitemap.xml" in (site.published(book) / "robots.txt").read_text()


def test_a_missing_page_is_explained_in_every_language(book):
    render(book)
    site.publish(book)
    page = (site.published(book) / "404.html").read_text()
    for code in book.languages:
        assert f'<section lang="{code}">' in page
        assert f'href="/small/{code}/book/index.html"' in page


def test_a_picture_that_no_page_shows_is_not_published(book):
    render(book, '<img src="../_images/shown.png">')
    pictures = site.rendering(book) / "en" / "_images"
    pictures.mkdir()
    for name in ("shown.png", "old.png"):
        (pictures / name).touch()
    site.publish(book)
    assert [path.name for path in (site.published(book) / "en" / "_images").iterdir()] == ["shown.png"]


def test_a_page_that_is_gone_is_not_published(book):
    render(book)
    (site.rendering(book) / "ko" / "book" / "gone.html").write_text("gone")
    site.publish(book)
    assert not (site.published(book) / "ko" / "book" / "gone.html").exists()


def test_a_rendering_that_failed_leaves_the_published_site(book):
    render(book, "old")
    site.publish(book)
    render(book, "half wri")
    assert (site.published(book) / "en" / "book" / "index.html").read_text() == "old"


def test_an_interrupted_rendering_is_thrown_away(book):
    render(book, "half wri")
    site.clean(book)
    assert [path.name for path in site.rendering(book).iterdir()] == ["unfinished"]


def test_a_finished_rendering_is_kept_for_the_next(book):
    render(book)
    site.publish(book)
    site.clean(book)
    assert (site.rendering(book) / "en" / "book" / "index.html").exists()


def test_an_interrupted_exchange_is_undone(book):
    render(book, "old")
    site.publish(book)
    site.published(book).rename(site.previous(book))
    site.clean(book)
    assert (site.published(book) / "en" / "book" / "index.html").read_text() == "old"


def test_a_title_is_text_in_every_template(book, edit):
    edit(book.root / "_config.yml", "title: A small book", "title: A <b> & B")
    book = type(book)(book.root)
    render(book)
    site.publish(book)
    index = (site.published(book) / "index.html").read_text()
    assert "A &lt;b&gt; &amp; B" in index and "<b>" not in index


def test_what_a_stopped_build_left_is_not_published(book):
    render(book)
    site.publish(book)
    left = site.published(book).with_suffix(".new")
    left.mkdir(parents=True)
    (left / "left.css").touch()
    site.clean(book)
    site.publish(book)
    assert list(site.published(book).rglob("left.css")) == []


def test_what_no_page_uses_is_not_published(book):
    render(book)
    static = site.rendering(book) / "en" / "_static"
    static.mkdir()
    for name in ("search.js", "searchtools.js", "language_data.js"):
        (static / name).touch()
    (site.rendering(book) / "en" / ".buildinfo").touch()
    site.publish(book)
    assert [path.name for path in (site.published(book) / "en" / "_static").iterdir()] == ["search.js"]
    assert not (site.published(book) / "en" / ".buildinfo").exists()
