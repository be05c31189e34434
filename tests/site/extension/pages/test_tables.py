import json

from bs4 import BeautifulSoup

from ci.execution import timings
from ci.execution.timings import Step
from ci.notebooks import sabotages
from ci.notebooks.sabotages import Result
from ci.site.extension.pages.tables import outdated

CHAPTER = "book/part/one"
PAGE = "# Page\n\n```{status-sabotages}\n| chapter | sabotages | noticed | tried |\n|---|---|---|---|\n```\n"


def rows(output):
    soup = BeautifulSoup((output / "index.html").read_text(encoding="utf-8"), "html.parser")
    return [[cell.get_text(strip=True) for cell in row.find_all("td")][1:] for row in soup.select("tbody tr")]


def test_a_result_is_shown_until_the_chapter_changes(book, conf, build, edit):
    conf("tables")
    sabotages.store(book, {CHAPTER: Result(sabotages.digest(book, CHAPTER), "2026-01-02", "0.10", 9, 8)})
    assert rows(build({"index": PAGE})[1]) == [["9", "8", "2026-01-02"]]
    edit(book.source(CHAPTER), "1 + 1", "1 + 2")
    assert rows(build({"index": PAGE})[1]) == [["not tried since the chapter changed", "", ""]]


def test_what_came_of_a_chapter_that_is_gone_is_not_shown(book, conf, build):
    conf("tables")
    gone = Result("digest", "2026-01-02", "0.10", 9, 8)
    sabotages.results_path(book).write_text(json.dumps({"book/gone": gone._asdict()}), encoding="utf-8")
    assert rows(build({"index": PAGE})[1]) == [["not tried since the chapter changed", "", ""]]


def test_a_page_is_read_again_only_if_its_table_would_say_something_else(book, conf, build, edit):
    conf("tables")
    sabotages.store(book, {CHAPTER: Result(sabotages.digest(book, CHAPTER), "2026-01-02", "0.10", 9, 8)})
    app, _output = build({"index": PAGE})
    sabotages.results_path(book).touch()
    edit(book.source(CHAPTER), "Some text.", "Another text.")
    assert outdated(app, app.env) == []
    edit(book.source(CHAPTER), "1 + 1", "1 + 2")
    assert outdated(app, app.env) == ["index"]


def test_what_was_measured_is_shown_with_its_date_and_machine(book, conf, build):
    conf("tables")
    heading = "| step | median | fastest | slowest | cells executed | pages rendered |\n|---|---|---|---|---|---|\n"
    page = {"index": f"# Page\n\n```{{status-bench}}\n{heading}```\n"}
    assert rows(build(page)[1]) == []
    machine = {"date": "2026-01-02", "processor": "one", "cores": 2, "Python": "3.11"}
    rounds = [{"nothing": Step(seconds, cells=0, pages=3)} for seconds in (1, 2, 6)]
    timings.store(book, {"environment": machine, "rounds": rounds})
    output = build(page)[1]
    assert rows(output)[0] == [*(f"{seconds}\N{NO-BREAK SPACE}s" for seconds in ("2.0", "1.0", "6.0")), "0", "3"]
    assert "2026-01-02, rounds: 3. one, 2 cores" in (output / "index.html").read_text(encoding="utf-8")
