import pytest

from ci.book import Book, BookError


def test_pages_come_in_the_order_of_the_toc_and_chapters_are_those_with_code(book):
    assert book.pages == ["book/index", "book/part/one"]
    assert book.chapters == ["book/part/one"]


def test_first_language_is_the_source_and_has_no_catalogues(book):
    assert list(book.languages) == ["en", "ko"]
    assert book.translations == ["ko"]


def test_chapter_missing_from_the_toc_is_named(book):
    (book.root / "book" / "part" / "two.md").write_text("# Two\n", encoding="utf-8")
    with pytest.raises(BookError, match=r"book/part/two\.md is in no part of _toc\.yml"):
        _ = Book(book.root).pages


def test_listed_chapter_without_file_is_named(book):
    book.source("book/part/one").unlink()
    with pytest.raises(BookError, match=r"lists book/part/one, but there is no book/part/one\.md"):
        _ = Book(book.root).pages


def test_malformed_toc_is_reported(book, edit):
    edit(book.root / "_toc.yml", "root: book/index", "roots: book/index")
    with pytest.raises(BookError, match=r"^_toc\.yml: "):
        _ = Book(book.root).pages
