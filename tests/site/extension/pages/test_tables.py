import pytest
from bs4 import BeautifulSoup

from ci.execution import environments
from ci.execution.environments import Outcome
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


def test_environments_show_the_cells_that_are_right_and_the_announced_ones(book, conf, build):
    conf("tables")
    notebooks = ("notebooks/en/part/one.ipynb", "notebooks/ko/part/one.ipynb")
    cells = {notebooks[0]: {"passed": 2, "skipped": 1}, notebooks[1]: {"passed": 1, "announced": 1}}
    outcome = Outcome("2026-01-02", {"Python": "3.13", "jax": "0.7"}, [], [], cells, [])
    environments.write(environments.path(book), {"colab": outcome})
    names = list(environments.load())
    headings = ["chapter", *names]
    heading = f"| {' | '.join(headings)} |\n|{'---|' * len(headings)}\n"
    shown = rows(build({"index": f"# Page\n\n```{{status-environments}}\n{heading}```\n"})[1])
    column = [row[names.index("colab")] for row in shown]
    assert column == ["3 / 4 (1)", "2026-01-02", "Python 3.13, jax 0.7"]
    assert {text for row in shown for text in row} - set(column) == {""}
