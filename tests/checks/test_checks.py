"""The checks are sessions of nox; all of them run, and the last lines say what passed, failed and was not checked."""

import pytest

from ci.book import BookError, here
from ci.checks import checks

TESTS = """\
import pytest

@pytest.fixture
def broken():
    raise OSError

def test_right(): pass
def test_wrong(): assert False
def test_error(broken): pass
def test_one(): pytest.skip("no browser here")
def test_two(): pytest.skip("no browser here")
def test_differs(): pytest.xfail("announced in the chapter")
"""
NOXFILE = """\
import nox

@nox.session(venv_backend="none")
def lint(session):
    session.error("wrong")

@nox.session(venv_backend="none")
def unit(session):
    session.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=_build/reports/unit.xml")

@nox.session(venv_backend="none")
def pages(session):
    session.skip("this book has no pages")
"""


def test_every_check_is_run_whatever_the_first_one_says(book, monkeypatch, capfd):
    (book.root / "noxfile.py").write_text(NOXFILE, encoding="utf-8")
    (book.root / "test_it.py").write_text(TESTS, encoding="utf-8")
    monkeypatch.setattr(checks, "CHECKS", ("lint", "unit", "pages"))
    assert checks.run(book) == 1
    *_, lint, unit, pages, no_browser, announced, no_pages, total = capfd.readouterr().out.splitlines()
    assert lint.startswith("lint:") and lint.endswith("0 passed, 1 failed, 0 skipped")
    assert unit.endswith("1 passed, 2 failed, 3 skipped")
    assert pages.endswith("0 passed, 0 failed, 1 skipped")
    assert no_browser == "unit: 2 not checked: no browser here"
    assert announced == "unit: 1 as announced: announced in the chapter"
    assert no_pages == "pages: 1 not checked: this book has no pages"
    assert total == "1 passed, 3 failed, 4 skipped"


def test_a_noxfile_that_cannot_be_read_is_said(book):
    (book.root / "noxfile.py").write_text("(", encoding="utf-8")
    with pytest.raises(BookError, match="nox could not run the checks"):
        checks.run(book)


def test_every_check_is_a_session_and_all_cells_are_executed_before_they_are_compared():
    text = (here().root / "noxfile.py").read_text(encoding="utf-8")
    assert [name for name in checks.CHECKS if f"\ndef {name}(" not in text] == []
    assert checks.CHECKS.index("book") < checks.CHECKS.index("notebooks")


@pytest.mark.parametrize("errors", [[], [BookError("one.md, code cell 1: it raises")]])
def test_a_chapter_has_its_text_checked_is_executed_anew_and_compared(book, monkeypatch, capsys, errors):
    ran = []

    def execute(book, names, keep_going, anew):
        ran.append((names, anew))
        return book.built("cache"), errors

    monkeypatch.setattr(checks.leftovers, "refuse_missing", lambda book: None)
    monkeypatch.setattr(checks.faults, "in_sources", lambda book: ran.append("text") or [])
    monkeypatch.setattr(checks.execution, "execute", execute)
    monkeypatch.setattr(checks.processes, "run", lambda command, **options: ran.append(command) or 0)
    assert checks.check(book, ["book/part/one"]) == len(errors)
    assert ran[:2] == ["text", (["book/part/one"], True)]
    assert "--executed" in ran[2] and ran[2][-1] == "notebooks/en/part/one.ipynb"
    assert capsys.readouterr().out == "".join(f"{error}\n" for error in errors)
