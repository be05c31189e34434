import json
import sys

import pytest

from ci.book import here
from ci.checks import checks

REPORT = """<testsuites><testsuite>
<testcase name="a"/><testcase name="b"><failure/></testcase><testcase name="c"><skipped/></testcase>
</testsuite></testsuites>"""


def test_tests_and_plain_checks_are_counted(tmp_path):
    report = tmp_path / "unit.xml"
    assert checks.count(0, report) == {"passed": 1}
    assert checks.count(2, report) == {"failed": 1}
    report.write_text(REPORT)
    assert checks.count(1, report) == {"passed": 1, "failed": 1, "skipped": 1}


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


def test_of_some_chapters_their_own_tests_and_notebooks_are_run(book):
    commands = checks.some_chapters(book, ["book/part/one"])
    assert list(commands) == ["book", "notebooks"]
    assert commands["notebooks"][-1] == "notebooks/en/part/one.ipynb"
    assert "book/part/one- or book/part/one]" in commands["book"]


def test_some_chapters_are_checked_alone(book, monkeypatch, capfd):
    ran = []
    monkeypatch.setattr(checks.leftovers, "refuse_missing", lambda book: None)
    monkeypatch.setattr(checks.faults, "in_sources", lambda book: [])
    monkeypatch.setattr(checks.processes, "run", lambda command, **options: ran.append(command) or 0)
    assert checks.run(book, ["book/part/one"]) == 0
    assert len(ran) == 2
    assert "unit" not in capfd.readouterr().out


def test_the_folders_that_the_checks_name_are_there():
    book = here()
    named = {part for command in checks.whole_book(book).values() for part in command}
    named |= {part for command in checks.some_chapters(book, book.chapters).values() for part in command}
    paths = {part.removeprefix("--ignore=") for part in named if "tests" in part or part.startswith("notebooks")}
    assert {"tests", "tests/pages", "tests/test_book.py"} <= paths
    assert [path for path in paths if not (book.root / path).exists()] == []


def test_that_no_page_was_opened_is_said(capsys):
    assert checks.summarise({"pages": checks.Counter(skipped=3)}, {"pages": 1.0}) == 0
    assert checks.NO_BROWSER in capsys.readouterr().out
