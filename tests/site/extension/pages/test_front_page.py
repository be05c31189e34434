"""The front page says how much was executed, compared and tried, and has a search field."""

import pytest
from bs4 import BeautifulSoup
from sphinx.errors import ExtensionError

from ci.notebooks import trials

CHAPTER = "book/part/one"
TEXT = "{chapters} {notebooks} {cells} {listed} {noticed} {lessons} {variations} {held}"


def page(text):
    return {"index": f"# Page\n\n````{{counts}}\n- {text}\n\n  ```{{search-form}}\n  ```\n````\n"}


@pytest.fixture
def read(conf, build):
    """Builds the page with this text; returns the application and what the page shows."""
    conf("tables", "front_page")

    def read(text=TEXT, builder="html"):
        app, output = build(page(text), builder)
        [shown] = BeautifulSoup((output / "index.html").read_text(encoding="utf-8"), "html.parser").select(".counts")
        return app, shown

    return read


@pytest.fixture
def tried(book):
    """Stores a result of the list of the chapter, which is empty."""
    trials.path(book, CHAPTER).write_text("[]\n", encoding="utf-8")
    digest = trials.digest(book, CHAPTER)
    trials.store(book, CHAPTER, trials.Result(1234, 8, 9, 15, 7, "2026-01-02", "0.10", digest))


def test_the_counts_are_those_of_the_executions_and_of_the_lists(read, book, execute, tried, edit):
    app, shown = read()
    languages = len(book.languages)
    assert shown.li.p.get_text() == "0 0 0 1,234 8 9 15 7"
    execute()
    cells = app.cache.chapter(CHAPTER).cells
    code = sum(cell.cell_type == "code" for cell in cells)
    (book.root / "index.md").touch()  # Sphinx then reads it again
    app, shown = read()
    assert shown.li.p.get_text() == f"1 {languages} {code} 1,234 8 9 15 7"
    edit(book.source(CHAPTER), "1 + 1", "1 + 2")
    assert read()[1].li.p.get_text() == "0 0 0 0 0 0 0 0"


def test_the_names_are_replaced_after_the_translation(conf, build, book, catalogue):
    conf("tables", "front_page", language="ko", locale_dirs=["locale"])
    catalogue(book.catalogue("index", "ko"), {"{cells} cells": "셀 {cells}개"})
    _app, output = build(page("{cells} cells"))
    assert "셀 0개" in (output / "index.html").read_text(encoding="utf-8")


def test_the_names_are_translated_with_the_text(conf, build):
    conf("tables", "front_page")
    _app, output = build(page("{cells} cells"), "gettext")
    assert 'msgid "{cells} cells"' in (output / "index.pot").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["{sells}", "{cells"])
def test_an_unknown_name_is_an_error(read, text):
    with pytest.raises(ExtensionError, match=r"index: \{.*names are chapters, notebooks, cells"):
        read(text)


def test_the_field_leads_to_the_search_page(read):
    form = read()[1].form
    assert (form["action"], form.input["name"], form.input["aria-label"]) == ("search.html", "q", "Search")
    assert read(builder="singlehtml")[1].form is None
