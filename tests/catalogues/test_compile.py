"""What Sphinx gets to read of the catalogues."""

import os

import polib
import pytest

from ci.book import BookError
from ci.catalogues import compile as compiled


def test_the_compiled_catalogue_is_made_from_what_was_read(book, catalogue):
    path = catalogue(
        book.catalogue("book/index", "ko"), 'msgid "a"\nmsgstr "가"\n\n#, fuzzy\nmsgid "b"\nmsgstr "나"\n'
    )
    target = path.with_suffix(".mo")
    target.write_bytes(b"anything a stranger has left")
    os.utime(path, (1, 1))  # older, so that Sphinx would take the compiled one as it is
    compiled.compile_all(book, "ko")
    assert {entry.msgid: entry.msgstr for entry in polib.mofile(str(target))} == {"a": "가"}


def test_a_compiled_catalogue_that_says_the_same_is_left_so_that_its_page_is_not_rendered_again(book, catalogue):
    path = catalogue(book.catalogue("book/index", "ko"), {"a": "가"})
    compiled.compile_all(book, "ko")
    before = path.with_suffix(".mo").stat().st_mtime_ns
    compiled.compile_all(book, "ko")
    assert path.with_suffix(".mo").stat().st_mtime_ns == before


@pytest.mark.parametrize(
    "name",
    ["ko/LC_MESSAGES/book/none.po", "en/LC_MESSAGES/book/index.po", "ko/x.po"],
)
def test_a_file_that_is_no_catalogue_of_the_book_is_refused(book, catalogue, name):
    catalogue(book.catalogue("book/index", "ko"))
    catalogue(book.root / "locale" / name)
    for language in book.languages:
        with pytest.raises(BookError, match="no page belongs to this file"):
            compiled.compile_all(book, language)


def test_a_folder_that_leads_elsewhere_is_refused(book, catalogue, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    catalogue(elsewhere / "index.po")
    folder = book.catalogue("book/index", "ko").parent
    folder.parent.mkdir(parents=True)
    folder.symlink_to(elsewhere)
    with pytest.raises(BookError, match="no page belongs to this file"):
        compiled.compile_all(book, "ko")


def test_a_compiled_catalogue_that_was_changed_since_is_made_again(book, catalogue):
    path = catalogue(book.catalogue("book/index", "ko"), {"a": "가"})
    compiled.compile_all(book, "ko")
    before = path.with_suffix(".mo").read_bytes()
    path.with_suffix(".mo").write_bytes(before.replace("가".encode(), "나".encode()))
    compiled.compile_all(book, "ko")
    assert path.with_suffix(".mo").read_bytes() == before


def test_a_catalogue_that_was_changed_since_is_read_again(book, catalogue):
    path = catalogue(book.catalogue("book/index", "ko"), {"a": "가"})
    compiled.compile_all(book, "ko")
    catalogue(path, {"a": "<b>"})
    with pytest.raises(BookError, match="HTML or roles"):
        compiled.compile_all(book, "ko")
