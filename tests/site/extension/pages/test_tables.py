import pytest
from bs4 import BeautifulSoup

from ci.notebooks import trials
from ci.site.extension.pages.tables import outdated

CHAPTER = "book/part/one"
RESULT = trials.Result(9, 8, 9, 15, 8, "2026-01-02", "0.10")


@pytest.fixture(params=[("sabotages", "noticed"), ("lessons", "variations", "held")], ids=lambda counts: counts[0])
def counts(request):
    return request.param


@pytest.fixture
def tried(book, counts):
    """Stores the list of the chapter, empty, and what came of trying it; returns the page with the table."""
    trials.path(book, CHAPTER).write_text("[]\n", encoding="utf-8")
    trials.store(book, CHAPTER, RESULT._replace(digest=trials.digest(book, CHAPTER)))
    headings = ["chapter", *counts, "tried"]
    heading = f"| {' | '.join(headings)} |\n|{'---|' * len(headings)}\n"
    return {"index": f"# Page\n\n```{{status-{counts[0]}}}\n{heading}```\n"}


def rows(output):
    soup = BeautifulSoup((output / "index.html").read_text(encoding="utf-8"), "html.parser")
    return [[cell.get_text(strip=True) for cell in row.find_all("td")][1:] for row in soup.select("tbody tr")]


def test_a_result_is_shown_until_the_chapter_changes(book, conf, build, edit, counts, tried):
    conf("tables")
    numbers = [*(str(getattr(RESULT, count)) for count in counts), "2026-01-02"]
    assert rows(build(tried)[1]) == [numbers]
    edit(book.source(CHAPTER), "1 + 1", "1 + 2")
    assert rows(build(tried)[1]) == [["not tried since the chapter changed", *[""] * len(counts)]]


@pytest.mark.parametrize("gone", ["chapter", "list"])
def test_what_came_of_a_chapter_or_a_list_that_is_gone_is_not_shown(book, conf, build, edit, counts, tried, gone):
    conf("tables")
    if gone == "list":
        trials.path(book, CHAPTER).unlink()
    else:
        edit(trials.results_path(book), CHAPTER, "book/gone")
    shown = [["not tried since the chapter changed", *[""] * len(counts)]]
    assert rows(build(tried)[1]) == ([] if gone == "list" else shown)


def test_a_page_is_read_again_only_if_its_table_would_say_something_else(book, conf, build, edit, tried):
    conf("tables")
    app, _output = build(tried)
    trials.results_path(book).touch()
    edit(book.source(CHAPTER), "Some text.", "Another text.")
    assert outdated(app, app.env) == []
    edit(book.source(CHAPTER), "1 + 1", "1 + 2")
    assert outdated(app, app.env) == ["index"]
