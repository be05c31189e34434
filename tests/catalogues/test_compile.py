"""What Sphinx reads of the catalogues."""

import os

import polib
import pytest

from ci.book import BookError
from ci.catalogues import po


@pytest.fixture
def path(book, catalogue):
    """A catalogue of the front page with a translation of "a", which has been compiled."""
    path = catalogue(book.catalogue("book/index", "ko"), {"a": "가"})
    po.compile_all(book, "ko")
    return path


def compiled(path):
    return {entry.msgid: entry.msgstr for entry in polib.mofile(str(path.with_suffix(".mo")))}


def test_only_finished_entries_are_compiled(book, path, catalogue):
    catalogue(path, 'msgid "a"\nmsgstr "가"\n\n#, fuzzy\nmsgid "b"\nmsgstr "나"\n')
    path.with_suffix(".mo").write_bytes(b"anything that a stranger has left")
    os.utime(path, (1, 1))  # older, so Sphinx would take the compiled file as it is
    po.compile_all(book, "ko")
    assert compiled(path) == {"a": "가"}


def test_a_compiled_catalogue_that_has_changed_is_compiled_again(book, path):
    target = path.with_suffix(".mo")
    target.write_bytes(target.read_bytes().replace("가".encode(), "나".encode()))
    po.compile_all(book, "ko")
    assert compiled(path) == {"a": "가"}


@pytest.mark.parametrize("name", ["ko/LC_MESSAGES/book/none.po", "en/LC_MESSAGES/book/index.po", "ko/x.po"])
def test_a_file_that_is_no_catalogue_of_the_book_is_refused(book, path, catalogue, name):
    catalogue(book.root / "locale" / name)
    for language in book.languages:
        with pytest.raises(BookError, match="no page belongs to this file"):
            po.compile_all(book, language)


def test_a_folder_that_is_a_link_is_refused(book, catalogue, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    catalogue(elsewhere / "index.po")
    folder = book.catalogue("book/index", "ko").parent
    folder.parent.mkdir(parents=True)
    folder.symlink_to(elsewhere)
    with pytest.raises(BookError, match="no page belongs to this file"):
        po.compile_all(book, "ko")


@pytest.mark.parametrize("name", ["ko/LC_MESSAGES/book/gone.mo", "ko/LC_MESSAGES/book/index.mo", "de/a.mo"])
def test_a_compiled_catalogue_without_a_catalogue_is_removed(book, name):
    stray = book.root / "locale" / name
    stray.parent.mkdir(parents=True)
    stray.write_bytes(b"whatever")
    po.compile_all(book, "ko")
    assert not stray.exists()
    assert po.strangers(book) == set()


def test_a_link_with_the_name_of_a_compiled_catalogue_is_removed_but_not_its_target(book, tmp_path):
    target, link = tmp_path / "target", book.root / "locale" / "x.mo"
    target.touch()
    link.parent.mkdir()
    link.symlink_to(target)
    po.compile_all(book, "ko")
    assert not link.is_symlink() and target.exists()
