import pytest

from ci.site import publish as site

PAGE = "<article><h1>new</h1></article>"


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
        for name in book.pages:
            page = site.rendering(book) / code / f"{name}.html"
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(f"<article><h1>{text}</h1></article>")
            page.with_suffix(".md").write_text(f"# {text}\n")


@pytest.fixture
def published(book):
    """The folder of the site after one build."""
    render(book)
    site.publish(book)
    return site.published(book)


def test_pages_and_notebooks_of_all_languages_are_published(book, published):
    for code in book.languages:
        assert (published / code / "book" / "index.html").read_text() == PAGE
        assert (published / code / "book" / "part" / "one.ipynb").read_text() == code


def test_the_list_for_assistants_has_every_page_in_every_language_unescaped(book, published):
    text = (published / "llms.txt").read_text()
    for code in book.languages:
        for page in book.pages:
            assert f"- [new](https://example.github.io/small/{code}/{page}.md)" in text
            assert (published / code / f"{page}.md").exists()


def test_the_index_lists_the_languages_and_escapes_the_title(book, edit):
    edit(book.root / "_config.yml", "title: A small book", "title: A <b> & B")
    book = type(book)(book.root)
    render(book)
    site.publish(book)
    index = (site.published(book) / "index.html").read_text()
    assert '<a href="ko/book/index.html" lang="ko" hreflang="ko">한국어</a>' in index
    assert '["en", "ko"]' in index
    assert "A &lt;b&gt; &amp; B" in index and "<b>" not in index


def test_the_page_for_missing_pages_has_a_section_in_every_language(book, published):
    page = (published / "404.html").read_text()
    for code in book.languages:
        assert f'<section lang="{code}">' in page
        assert f'href="/small/{code}/book/index.html"' in page


@pytest.mark.parametrize(
    ("path", "is_published"), [("_images/shown.png", True), ("_static/searchtools.js", False), (".buildinfo", False)]
)
def test_only_files_that_pages_use_are_published(book, path, is_published):
    render(book)
    file = site.rendering(book) / "en" / path
    file.parent.mkdir(exist_ok=True)
    file.touch()
    site.publish(book)
    assert (site.published(book) / "en" / path).exists() == is_published


def test_an_interrupted_rendering_keeps_the_site_and_is_removed(book, published):
    render(book, "half wri")
    site.clean(book)
    assert (published / "en" / "book" / "index.html").read_text() == PAGE
    assert [path.name for path in site.rendering(book).iterdir()] == ["unfinished"]


def test_a_finished_rendering_is_kept_for_the_next_build(book, published):
    site.clean(book)
    assert (site.rendering(book) / "en" / "book" / "index.html").exists()


def test_an_interrupted_exchange_is_undone(book, published):
    published.rename(published.with_suffix(".old"))
    site.clean(book)
    assert (published / "en" / "book" / "index.html").read_text() == PAGE


def test_files_of_an_interrupted_build_are_not_published(book, published):
    new = published.with_suffix(".new")
    new.mkdir()
    (new / "left.css").touch()
    site.clean(book)
    site.publish(book)
    assert list(published.rglob("left.css")) == []
