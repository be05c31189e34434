import pytest

from ci.book import Book, BookError

MINIMAL = """\
title: A
author: B
repository: {url: https://github.com/a/b}
languages: {fr: Français, de: Deutsch}
execute: {timeout: 300}
sphinx: {local_extensions: {ci.site.extension: .}}
"""


def test_pages_come_in_the_order_of_the_toc_and_chapters_are_those_with_code(book):
    assert book.chapters == ["book/part/one"]
    assert book.pages == ["book/index", "book/part/one"]
    assert (list(book.languages), book.translations) == (["en", "ko"], ["ko"])


def test_a_page_that_is_not_listed_or_not_there_is_named(book):
    (book.root / "book" / "part" / "two.md").write_text("# Two\n", encoding="utf-8")
    with pytest.raises(BookError, match=r"_toc\.yml does not list book/part/two\.md"):
        _ = Book(book.root).pages
    (book.root / "book" / "part" / "two.md").unlink()
    book.source("book/part/one").unlink()
    with pytest.raises(BookError, match=r"lists book/part/one, but there is no book/part/one\.md"):
        _ = Book(book.root).pages


@pytest.mark.parametrize("name, old, new", [("_toc.yml", "root: ", "roots: "), ("_config.yml", "title: ", "title: {")])
def test_a_file_that_is_malformed_or_missing_is_named(book, edit, name, old, new):
    edit(book.root / name, old, new)
    with pytest.raises(BookError, match=f"^{name}: "):
        _ = Book(book.root).pages, Book(book.root).languages
    (book.root / name).unlink()
    with pytest.raises(BookError, match=f"^{name}: "):
        _ = Book(book.root).pages, Book(book.root).languages


@pytest.mark.parametrize("text", ["", "title: A\nlanguages: {en: English}\n", "title: A\nrepository:\n"])
def test_what_every_book_must_say_is_asked_for(book, text):
    (book.root / "_config.yml").write_text(text, encoding="utf-8")
    with pytest.raises(BookError, match="^_config.yml: there is no .*repository.*: add it"):
        _ = Book(book.root).config


def test_a_book_may_leave_out_its_branch_and_its_helper(book):
    (book.root / "_config.yml").write_text(MINIMAL, encoding="utf-8")
    made = Book(book.root)
    assert (made.branch, made.cell_timeout, made.helper) == ("main", 300, "")


@pytest.mark.parametrize(
    "code, expected", [("de", ["book/index", "book/part/one", "ci"]), ("fr", ["ci"]), ("en", []), ("ko", [])]
)
def test_a_book_that_is_not_in_english_has_a_catalogue_for_the_words_around_its_pages(book, code, expected):
    (book.root / "_config.yml").write_text(MINIMAL, encoding="utf-8")
    made = Book(book.root)
    assert made.domains_in(code) == expected
    assert made.catalogues[made.catalogue("ci", "fr")] == ("ci", "fr")


def test_an_address_of_its_own_wins_over_that_of_github_pages(book):
    assert book.site == "https://example.github.io/small"
    book.config["html"] = {"baseurl": "https://book.example.org/"}
    assert book.site == "https://book.example.org"


@pytest.mark.parametrize(
    "wanted",
    [
        *("one", "part/one", "book/part/one", "book/part/one.md", "locale/ko/LC_MESSAGES/book/part/one.po"),
        *("notebooks/en/part/one.ipynb", "notebooks/ko/part/one.ipynb"),
    ],
)
def test_a_page_is_found_by_its_name_or_its_file(book, wanted):
    assert book.find_page(wanted) == "book/part/one"


def test_a_chapter_needs_a_kernel_and_the_format_of_a_notebook_in_its_header(book, edit):
    edit(book.source("book/part/one"), "format_name: myst", "format_name: markdown")
    with pytest.raises(BookError, match=r"^book/part/one\.md: add the line `file_format: mystnb` to its header"):
        _ = Book(book.root).chapters
    edit(book.source("book/part/one"), "---\njupytext", "---\nfile_format: mystnb\njupytext")
    assert Book(book.root).chapters == ["book/part/one"]
    edit(book.source("book/part/one"), "kernelspec:", "kernel:")
    with pytest.raises(BookError, match=r"book/part/one\.md has code cells, but its header names no kernel"):
        _ = Book(book.root).chapters


@pytest.mark.parametrize(
    "content, said",
    [("\ufeff# One".encode(), "begins with a byte order mark"), ("# Één".encode("latin-1"), "is not UTF-8")],
)
def test_a_page_in_another_encoding_is_named(book, content, said):
    book.source("book/part/one").write_bytes(content)
    with pytest.raises(BookError, match=f"one.md {said}"):
        _ = Book(book.root).chapters
