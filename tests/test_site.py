from ci import site


def render(book, text="new"):
    site.clean(book)
    for code in book.languages:
        page = site.rendering(book) / code / "book" / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text)


def test_all_languages_and_an_index_are_published(book):
    render(book)
    site.publish(book)
    published = site.published(book)
    assert (published / "ko" / "book" / "index.html").read_text() == "new"
    index = (published / "index.html").read_text()
    assert '<a href="ko/book/index.html" lang="ko" hreflang="ko">한국어</a>' in index
    assert '["en", "ko"]' in index


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
