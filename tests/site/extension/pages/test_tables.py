import pytest
from bs4 import BeautifulSoup
from sphinx.errors import ExtensionError

from ci.notebooks import trials

CHAPTER = "book/part/one"
LIST = "- {cause: the sum, replace: 1 + 1, by: 1 + 2, noticed_by: x = }\n"
COLUMNS = ("chapter", "cells", "sabotages", "lessons", "executed", "not tried")


def page(columns=COLUMNS):
    heading = f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}\n"
    return {"index": f"# Page\n\n```{{status-table}}\n{heading}```\n"}


def cells(output):
    """The cells of the only row, after the name of the chapter."""
    [row] = BeautifulSoup((output / "index.html").read_text(encoding="utf-8"), "html.parser").select("tbody tr")
    return [cell.get_text(strip=True) for cell in row.find_all("td")][1:]


@pytest.fixture
def tried(book, conf):
    """Stores the list of the chapter, and what came of trying it."""
    conf("tables")
    trials.path(book, CHAPTER).write_text(LIST, encoding="utf-8")
    digest = trials.digest(book, CHAPTER)
    trials.store(book, CHAPTER, trials.Result(9, 8, 7, 15, 7, "2026-01-02", "0.10", digest))


def test_a_result_is_shown_until_the_chapter_changes_and_then_counted_as_not_tried(tried, book, build, edit):
    assert cells(build(page())[1]) == ["2", "8 / 9", "7 / 7", "", ""]
    edit(book.source(CHAPTER), "1 + 1", "1  + 1")
    assert cells(build(page())[1]) == ["2", "", "", "", "1"]


def test_what_came_of_a_list_that_is_gone_is_not_shown(tried, book, build):
    trials.path(book, CHAPTER).unlink()
    assert cells(build(page())[1]) == ["2", "", "", "", ""]


def test_the_day_is_that_of_the_execution(tried, book, build, execute):
    execute()
    assert cells(build(page())[1])[3] >= "2026"


def test_a_heading_with_another_number_of_columns_is_an_error(tried, build):
    with pytest.raises(ExtensionError, match="index: status-table has 6 columns, its heading 5"):
        build(page(COLUMNS[:-1]))
