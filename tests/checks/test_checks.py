import json
import sys

import pytest

from ci.book import BookError, here
from ci.checks import checks

REPORT = """<testsuites><testsuite>
<testcase name="a"/><testcase name="b"><failure/></testcase><testcase name="c"><skipped/></testcase>
<testcase name="d"><error/></testcase>
</testsuite></testsuites>"""


def test_tests_and_plain_checks_are_counted(tmp_path):
    report = tmp_path / "unit.xml"
    assert checks.count(0, report) == {"passed": 1}
    assert checks.count(2, report) == {"failed": 1}
    report.write_text(REPORT)
    assert checks.count(1, report) == {"passed": 1, "failed": 2, "skipped": 1}


def test_a_runner_that_failed_without_a_failed_test_is_a_failure(tmp_path):
    report = tmp_path / "unit.xml"
    report.write_text("<testsuites/>")
    assert checks.count(0, report)["failed"] == 0
    assert checks.count(3, report)["failed"] == 1


@pytest.mark.parametrize("status, said", [(0, "2 passed, 0 failed, 0 skipped"), (1, "1 passed, 1 failed, 0 skipped")])
def test_every_check_is_run_whatever_the_first_one_says(book, monkeypatch, capfd, status, said):
    commands = {
        "first": [sys.executable, "-c", f"raise SystemExit({status})"],
        "second": [sys.executable, "-c", "print(__import__('os').getcwd())"],
    }
    monkeypatch.setattr(checks, "whole_book", lambda book: commands)
    assert checks.run(book) == status
    out = capfd.readouterr().out
    assert str(book.root) in out.splitlines()
    assert out.splitlines()[-1] == said
    assert json.loads(book.built("reports", "seconds.json").read_text()).keys() == commands.keys()


def test_tests_of_pytest_are_counted_one_by_one(book, monkeypatch, capfd):
    (book.root / "test_it.py").write_text(
        "def test_right():\n    pass\n\n\ndef test_wrong():\n    assert False\n", encoding="utf-8"
    )
    command = [*checks.PYTEST, "-p", "no:cacheprovider", "test_it.py"]
    monkeypatch.setattr(checks, "whole_book", lambda book: {"unit": command})
    assert checks.run(book) == 1
    assert capfd.readouterr().out.splitlines()[-1] == "1 passed, 1 failed, 0 skipped"


@pytest.fixture
def ran(book, monkeypatch):
    """The commands and the executions of chapters that were asked for; none is run."""
    ran = []
    (book.root / "tests").mkdir()
    (book.root / "tests" / "test_book.py").touch()

    def execute(book, names, keep_going, anew):
        ran.append(("execute", names, anew))
        return book.built("cache"), []

    monkeypatch.setattr(checks.leftovers, "refuse_missing", lambda book: None)
    monkeypatch.setattr(checks.faults, "in_sources", lambda book: [])
    monkeypatch.setattr(checks.processes, "run", lambda command, **options: ran.append(command) or 0)
    monkeypatch.setattr(checks.execution, "execute", execute)
    return ran


def test_some_chapters_have_their_text_checked_are_executed_anew_and_compared(book, ran, capfd):
    assert checks.run(book, ["book/part/one"]) == 0
    text, execution, notebooks = ran
    assert "book/part/one- or book/part/one]" in text
    assert execution == ("execute", ["book/part/one"], True)
    assert notebooks[len(checks.COMPARE)] == "notebooks/en/part/one.ipynb"
    out = capfd.readouterr().out
    assert "unit" not in out and out.splitlines()[-1] == "3 passed, 0 failed, 0 skipped"


@pytest.mark.parametrize("raised", [True, False], ids=["stops all", "of one chapter"])
def test_a_chapter_that_cannot_be_executed_is_said_and_the_other_checks_follow(book, ran, monkeypatch, capfd, raised):
    def execute(book, names, keep_going, anew):
        error = BookError("one.md, code cell 1: it raises")
        if raised:
            raise error
        return book.built("cache"), [error]

    monkeypatch.setattr(checks.execution, "execute", execute)
    assert checks.run(book, ["book/part/one"]) == 1
    assert len(ran) == 2
    assert "one.md, code cell 1: it raises" in capfd.readouterr().out


def test_all_cells_are_executed_by_one_check_of_the_whole_book():
    commands = checks.whole_book(here())
    assert commands["book"][-2:] == ["build", "--keep-going"]
    assert "--executed" in commands["notebooks"]
    assert list(commands).index("book") < list(commands).index("notebooks")


def test_a_book_without_tests_and_settings_of_tools_has_the_checks_of_any_book(book):
    assert list(checks.whole_book(book)) == ["book", "notebooks", "catalogues", "refresh"]
    assert list(checks.some_chapters(book, ["book/part/one"])) == ["execution", "notebooks"]
    (book.root / "pyproject.toml").write_text("[tool.ruff]\n", encoding="utf-8")
    assert list(checks.whole_book(book))[:2] == ["lint", "format"]


def test_this_book_has_every_check():
    names = ["lint", "format", "types", "unit", "book", "notebooks", "catalogues", "refresh", "pages"]
    assert list(checks.whole_book(here())) == names
    assert list(checks.some_chapters(here(), here().chapters)) == ["text", "execution", "notebooks"]


def test_the_folders_that_the_checks_name_are_there():
    book = here()
    named = {part for command in checks.whole_book(book).values() for part in command}
    chosen = checks.some_chapters(book, book.chapters).values()
    named |= {part for command in chosen if not callable(command) for part in command}
    paths = {part.removeprefix("--ignore=") for part in named if "tests" in part or part.startswith("notebooks")}
    assert {"tests", "tests/pages", "tests/test_book.py"} <= paths
    assert [path for path in paths if not (book.root / path).exists()] == []


def test_what_was_skipped_is_said_once_for_each_reason(tmp_path):
    report = tmp_path / "pages.xml"
    skipped = '<testcase name="{}"><skipped message="no browser here (Debian: apt install chromium)"/></testcase>'
    report.write_text("<testsuite>" + skipped.format("a") + skipped.format("b") + "</testsuite>")
    assert checks.skipped("pages", report) == ["pages: 2 not checked: no browser here (Debian: apt install chromium)"]
    assert checks.skipped("lint", tmp_path / "lint.xml") == []


def test_remarks_stand_before_the_last_line(capsys):
    assert checks.summarise({"pages": checks.Counter(passed=1)}, {"pages": 1.0}, ["something was not checked"]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == ["something was not checked", "1 passed, 0 failed, 0 skipped"]


def test_that_chapters_were_executed_before_is_said(book, monkeypatch):
    assert checks.executed_before(book) == []
    monkeypatch.setattr(checks.execution, "in_cache", lambda cache, names: names)
    (said,) = checks.executed_before(book)
    assert said.startswith("1 of 1 chapters were executed before this run") and "./ci/test.sh CHAPTER" in said
