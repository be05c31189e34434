"""Run the checks, also after one has failed, and count the passed, failed and skipped ones."""

import json
import shutil
import sys
import time
import tomllib
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from ci import _
from ci.book import Book, BookError, display, files, processes
from ci.catalogues.sentences import say, users_sentences
from ci.checks import changed
from ci.execution import cache
from ci.execution import run as execution
from ci.notebooks import faults, leftovers

PYTEST = [sys.executable, "-m", "pytest", "-q"]
TESTS = [*PYTEST, "-n", "auto"]
# `--executed` executes nothing: it compares with the outputs of the check "book", which runs before.
COMPARE = [*PYTEST, "-p", "ci.execution.nbval", "--nbval", "--executed"]
CI = [sys.executable, "-m", "ci"]
TOOLS = {"lint": "ruff", "format": "ruff", "types": "mypy"}  # {check: the tool that pyproject.toml must configure}
TESTED = {"unit": "tests", "text": "tests/test_book.py", "pages": "tests/pages"}  # {check: the tests that it needs}

Command = list[str]
Check = Command | Callable[[], int]
"""A command, or a function that returns an exit status."""
C = TypeVar("C", bound=Check)


def tools(book: Book) -> set[str]:
    """Return the names of the tools that pyproject.toml configures, such as "ruff"; none if there is no such file."""
    path = book.root / "pyproject.toml"
    return set(tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {})) if path.exists() else set()


def possible(book: Book, checks: Mapping[str, C]) -> dict[str, C]:
    """Return the checks without those for which the book has no settings of the tool, or no tests."""
    known = tools(book)
    lacking = {name for name, tool in TOOLS.items() if tool not in known}
    lacking |= {name for name, tests in TESTED.items() if not (book.root / tests).exists()}
    return {name: check for name, check in checks.items() if name not in lacking}


def whole_book(book: Book) -> dict[str, Command]:
    """Return {check: command} for all checks, in the order in which they run."""
    checks = {
        "lint": ["ruff", "check", "."],
        "format": ["ruff", "format", "--check", "."],
        "types": ["mypy"],
        "unit": [*TESTS, "--dist", "worksteal", "--ignore=tests/pages", "tests"],
        "book": [*CI, "build", "--keep-going"],
        "notebooks": [*COMPARE, *notebooks(book)],
        "catalogues": [*CI, "check"],
        "refresh": [*CI, "refresh", "--check"],
        "pages": [*TESTS, "tests/pages"],
    }
    return possible(book, checks)


def named(chapters: Iterable[str]) -> list[str]:
    """Return the options with which pytest runs only the tests of some chapters."""
    return ["-k", " or ".join(f"{name}- or {name}]" for name in chapters)]


def notebooks(book: Book, chapters: Iterable[str] = ()) -> list[str]:
    """Return the paths of notebooks in the source language: those of some chapters, or the folder of all."""
    language = book.source_language
    return [book.relative(book.notebook(name, language)) for name in chapters] or [f"notebooks/{language}"]


def some_chapters(book: Book, chapters: Sequence[str]) -> dict[str, Check]:
    """Return {check: command or function} for `./ci/book.sh test CHAPTER`."""
    checks: dict[str, Check] = {
        "text": [*TESTS, *named(chapters), "tests/test_book.py"],
        "execution": partial(execute_anew, book, chapters),
        "notebooks": [*COMPARE, *notebooks(book, chapters)],
    }
    return possible(book, checks)


def execute_anew(book: Book, chapters: Sequence[str]) -> int:
    """Execute some chapters even if the cache has them; print the errors and return the exit status."""
    try:
        _folder, errors = execution.execute(book, chapters, keep_going=True, anew=True)
    except BookError as failure:
        errors = [failure]
    for error in errors:
        print(error.say(users_sentences().gettext))
    return int(bool(errors))


def after_a_change(book: Book, paths: Sequence[str]) -> tuple[dict[str, Command], list[str]]:
    """Return {check: command} for the checks that a change of these paths can affect, and the names of the others."""
    affected, every = changed.affected(book, paths), whole_book(book)
    if affected.checks is None:
        return every, []
    kept = {name: command for name, command in every.items() if name in affected.checks}
    if "unit" in kept:
        kept["unit"] = [*kept["unit"][:-1], *affected.tests]
    if affected.chapters is not None and "pages" in kept:
        kept["pages"] = [*TESTS, "-m", "", *named(affected.chapters), "tests/pages"]
    if affected.chapters is not None and "notebooks" in kept:
        kept["notebooks"] = [*COMPARE, *notebooks(book, affected.chapters)]
    return kept, [name for name in every if name not in kept]


def run(book: Book, chapters: Sequence[str] = (), only_changed: bool = False) -> int:
    """Run all checks, those of some chapters, or those of what has changed; return the exit status."""
    checks: Mapping[str, Check] = some_chapters(book, chapters) if chapters else whole_book(book)
    if only_changed:
        checks, left_out = after_a_change(book, changed.paths(book))
        print(say(_("left out, since the change cannot affect it: {checks}"), checks=", ".join(left_out) or "–"))
    if chapters:  # with shorter messages than those of pytest
        leftovers.refuse_missing(book)
        faults.refuse(faults.in_sources(book), faults.BEFORE)
    whole = not (chapters or only_changed)
    remarks = executed_before(book) if whole else []
    reports = book.built("reports")
    shutil.rmtree(reports, ignore_errors=True)
    reports.mkdir(parents=True)
    counts, seconds = {}, {}
    for name, check in checks.items():
        print(f"\n== {name}", flush=True)
        report, begun = reports / f"{name}.xml", time.monotonic()
        counts[name] = count(perform(book, name, check, report), report)
        seconds[name] = round(time.monotonic() - begun, 1)
        remarks += skipped(name, report)
        files.write(reports / "seconds.json", json.dumps(seconds))
    return summarise(counts, seconds, remarks)


def executed_before(book: Book) -> list[str]:
    """Return a line with the number of chapters that `build` will not execute, as the cache has them; [] if none."""
    known = execution.in_cache(cache.executed(book), book.chapters)
    remark = (
        f"{len(known)} of {len(book.chapters)} chapters were executed before this run, with the same code and "
        "packages, and not again: ./ci/test.sh CHAPTER executes one anew"
    )
    return [remark] if known else []


def perform(book: Book, name: str, check: Check, report: Path) -> int:
    """Run a check and return its exit status; if the check is pytest, it writes a JUnit report to `report`."""
    if callable(check):
        return check()
    own = [f"--junitxml={report}"] if check[: len(PYTEST)] == PYTEST else []
    with display.stage(name, shows_itself=True):
        return processes.run([*check, *own], cwd=book.root)


def kind(case: ElementTree.Element) -> str:
    """Return whether a test of a JUnit report is "passed", "failed" or "skipped"."""
    tags = {child.tag for child in case}
    return "failed" if tags & {"failure", "error"} else "skipped" if "skipped" in tags else "passed"


def count(status: int, report: Path) -> Counter[str]:
    """Return how many tests of a check passed, failed and were skipped; one without a report counts as one test."""
    if not report.exists():
        return Counter({"failed" if status else "passed": 1})
    counts = Counter(map(kind, ElementTree.parse(report).iter("testcase")))
    if status and not counts["failed"]:  # such as an error of the test runner itself
        counts["failed"] = 1
    return counts


def skipped(name: str, report: Path) -> list[str]:
    """Return, for each reason why tests of a check were skipped, a line with the reason and the number of tests."""
    if not report.exists():
        return []
    reasons = Counter(case.get("message") for case in ElementTree.parse(report).iter("skipped"))
    return [f"{name}: {number} not checked: {reason}" for reason, number in reasons.items()]


def line(counts: Mapping[str, int]) -> str:
    """Return the counts as text, such as "3 passed, 0 failed, 1 skipped"."""
    names = ("passed", "failed", "skipped")
    return say(_("{passed} passed, {failed} failed, {skipped} skipped"), **{name: counts[name] for name in names})


def summarise(counts: Mapping[str, Counter[str]], seconds: Mapping[str, float], remarks: Iterable[str]) -> int:
    """Print the counts and seconds of each check, the remarks, and the sum; return 1 if a check failed, or else 0."""
    print()
    for name, own in counts.items():
        print(f"{name + ':':12}{seconds[name]:7.1f} s  {line(own)}")
    print(*(f"{remark}\n" for remark in remarks), sep="", end="")
    total = sum(counts.values(), Counter[str]())
    print(line(total))
    return int(total["failed"] > 0)
