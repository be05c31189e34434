"""A compiled catalogue without its catalogue, which git would not list, neither stops anybody nor reaches a page."""

import pytest

from ci.catalogues import po
from ci.catalogues.compile import compile_all

HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize(
    "name", ["ko/LC_MESSAGES/book/gone.mo", "ko/LC_MESSAGES/book/index.mo", "en/LC_MESSAGES/book/index.mo", "de/a.mo"]
)
def test_it_is_removed(book, name, language):
    path = book.root / "locale" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(b"whatever")
    compile_all(book, language)
    assert not path.exists()
    assert po.strangers(book) == set()


def test_where_it_leads_elsewhere_only_the_link_is_removed(book, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "x.mo"
    elsewhere.touch()
    path = book.root / "locale" / "x.mo"
    path.parent.mkdir()
    path.symlink_to(elsewhere)
    compile_all(book, "ko")
    assert not path.is_symlink()
    assert elsewhere.exists()


def test_that_of_a_catalogue_stays(book):
    path = book.catalogue("book/index", "ko")
    path.parent.mkdir(parents=True)
    path.write_text(f'{HEAD}\nmsgid "a"\nmsgstr "가"\n', encoding="utf-8")
    compile_all(book, "ko")
    compile_all(book, "en")
    assert path.with_suffix(".mo").exists()
