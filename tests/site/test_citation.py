import pytest

from ci.book import BookError
from ci.site import citation, releases
from ci.site.releases import Release

FACTS = {
    "title": "A small book",
    "authors": [{"name": "The authors"}, {"family-names": "Kim", "given-names": "A. B."}],
    "version": "1.0",
    "date-released": "2026-01-02",
}
SOURCE = {
    "title": "Digits & letters",
    "authors": [{"family-names": "Kim", "given-names": "A. B."}],
    "publisher": {"name": "A repository"},
    "year": 1998,
    "doi": "10.1/a_b",
}
SITE = "https://example.github.io/small"


@pytest.fixture
def whole(book):
    return citation.of_book(book, FACTS, "en", "A small book")


def test_the_line_of_the_book_and_of_a_page_end_with_their_addresses(whole):
    page = citation.of_page(whole, "book/part/one", "One")
    assert citation.line(whole, str) == f"The authors, A. B. Kim: A small book. Edition 1.0, 2026-01-02. {SITE}/en/"
    expected = "The authors, A. B. Kim: One. In: A small book. Edition 1.0, 2026-01-02."
    assert citation.line(page, str) == f"{expected} {SITE}/en/book/part/one.html"


def test_a_line_is_in_the_language_of_the_page(whole):
    known = {citation.OF_BOOK: "{address}: {title}, {version}판", citation.EDITION: "{version}판, {date}"}
    assert citation.line(whole, known.get) == f"{SITE}/en/: A small book, 1.0판"
    assert "  note = {1.0판, 2026-01-02}," in citation.bibtex(whole, known.get)


def test_names_of_groups_and_titles_are_kept_as_they_are_in_bibtex(whole):
    page = citation.of_page(whole, "book/part/one", "One_half")
    assert citation.bibtex(page, str) == (
        "@incollection{small:one,\n"
        "  author = {{The authors} and Kim, A. B.},\n"
        "  title = {{One\\_half}},\n"
        "  booktitle = {{A small book}},\n"
        "  year = {2026},\n"
        "  note = {Edition 1.0, 2026-01-02},\n"
        f"  url = {{{SITE}/en/book/part/one.html}},\n"
        "}"
    )


def test_what_tex_reads_otherwise_is_escaped_but_not_in_an_address():
    source = citation.of_source(SOURCE)
    assert citation.line(source, str) == "A. B. Kim: Digits & letters. A repository, 1998. https://doi.org/10.1/a_b"
    assert citation.bibtex(source, str) == (
        "@misc{kim1998,\n"
        "  author = {Kim, A. B.},\n"
        "  title = {{Digits \\& letters}},\n"
        "  year = {1998},\n"
        "  howpublished = {A repository},\n"
        "  url = {https://doi.org/10.1/a_b},\n"
        "}"
    )


def test_an_edition_has_its_address_once_it_is_released(book):
    assert citation.edition(book, "1.0") == SITE
    (releases.folder(book) / "1.0").mkdir(parents=True)
    assert citation.edition(book, "1.0") == f"{SITE}/1.0"
    assert citation.edition(book, "1.1") == SITE
    assert citation.edition(Release(book.root, "1.1"), "1.1") == f"{SITE}/1.1"


@pytest.mark.parametrize("text", [None, "title: ["])
def test_facts_that_cannot_be_read_are_an_error_that_names_the_file(book, text):
    if text:
        (book.root / citation.FILE).write_text(text)
    with pytest.raises(BookError, match=r"^CITATION\.cff: "):
        citation.load(book)
