import pytest
from bs4 import BeautifulSoup

from ci.notebooks.lessons import LESSONS
from ci.notebooks.sabotages import SABOTAGES
from ci.notebooks.trials import Result
from ci.site.extension.pages.tables import outdated

CHAPTER = "book/part/one"
COUNTS = {SABOTAGES: {"listed": 9, "noticed": 8}, LESSONS: {"lessons": 9, "variations": 15, "held": 8}}


@pytest.fixture(params=COUNTS, ids=lambda kind: kind.name)
def kind(request):
    return request.param


@pytest.fixture
def tried(book, kind):
    """Stores the list of the chapter, empty, and what came of trying it; returns the page with the table."""
    kind.path(book, CHAPTER).write_text("[]\n", encoding="utf-8")
    kind.store(book, {CHAPTER: Result(kind.digest(book, CHAPTER), "2026-01-02", "0.10", COUNTS[kind])})
    headings = ["chapter", *COUNTS[kind], "tried"]
    heading = f"| {' | '.join(headings)} |\n|{'---|' * len(headings)}\n"
    return {"index": f"# Page\n\n```{{status-{kind.name}}}\n{heading}```\n"}


def rows(output):
    soup = BeautifulSoup((output / "index.html").read_text(encoding="utf-8"), "html.parser")
    return [[cell.get_text(strip=True) for cell in row.find_all("td")][1:] for row in soup.select("tbody tr")]


def test_a_result_is_shown_until_the_chapter_changes(book, conf, build, edit, kind, tried):
    conf("tables")
    numbers = [*map(str, COUNTS[kind].values()), "2026-01-02"]
    assert rows(build(tried)[1]) == [numbers]
    edit(book.source(CHAPTER), "1 + 1", "1 + 2")
    assert rows(build(tried)[1]) == [["not tried since the chapter changed", *[""] * len(COUNTS[kind])]]


@pytest.mark.parametrize("gone", ["chapter", "list"])
def test_what_came_of_a_chapter_or_a_list_that_is_gone_is_not_shown(book, conf, build, edit, kind, tried, gone):
    conf("tables")
    if gone == "list":
        kind.path(book, CHAPTER).unlink()
    else:
        edit(kind.results_path(book), CHAPTER, "book/gone")
    shown = [["not tried since the chapter changed", *[""] * len(COUNTS[kind])]]
    assert rows(build(tried)[1]) == ([] if gone == "list" else shown)


def test_a_page_is_read_again_only_if_its_table_would_say_something_else(book, conf, build, edit, kind, tried):
    conf("tables")
    app, _output = build(tried)
    kind.results_path(book).touch()
    edit(book.source(CHAPTER), "Some text.", "Another text.")
    assert outdated(app, app.env) == []
    edit(book.source(CHAPTER), "1 + 1", "1 + 2")
    assert outdated(app, app.env) == ["index"]
