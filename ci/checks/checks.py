"""Runs the checks, all of them whatever the first ones say, and counts what they found."""

import json
import shutil
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter

from ci import _
from ci.book import files, processes, waiting
from ci.catalogues.sentences import say
from ci.checks import changed
from ci.notebooks import faults, leftovers

PYTEST = [sys.executable, "-m", "pytest", "-q"]
TESTS = [*PYTEST, "-n", "auto"]
VALIDATE = [*PYTEST, "--dist", "loadscope", "--nbval"]  # notebooks, each by one worker
NOTEBOOKS = [*VALIDATE, "-n", "auto", "-rs"]
PAGES = [*TESTS, "--dist", "loadgroup", "-rs"]  # each page by one worker, which opens it once
STORE = "--store"  # what is found equal is what the book is then built from: no cell is executed twice
CI = [sys.executable, "-m", "ci"]
NO_BROWSER = _("No browser was found, so no page was opened (Debian: apt install chromium fonts-nanum).")


def whole_book(book):
    """{check: command} of all checks, in their order."""
    return {
        "lint": ["ruff", "check", "."],
        "format": ["ruff", "format", "--check", "."],
        "unit": [*TESTS, "--dist", "worksteal", "--ignore=tests/pages", "tests"],
        "notebooks": [*NOTEBOOKS, STORE, *notebooks(book)],
        "book": [*CI, "build"],
        "catalogues": [*CI, "check"],
        "defects": [*CI, "prove", "catalogues"],
        "refresh": [*CI, "refresh", "--check"],
        "pages": [*PAGES, "tests/pages"],
    }


def named(chapters):
    """Words of pytest that choose the tests of some chapters."""
    return ["-k", " or ".join(f"{name}- or {name}]" for name in chapters)]


def notebooks(book, chapters=()):
    """The notebooks of some chapters in the source language, or the folder of all, as words for pytest."""
    language = book.source_language
    return [book.relative(book.notebook(name, language)) for name in chapters] or [f"notebooks/{language}"]


def of_chapters(book, chapters):
    """{check: command} of the checks that some chapters can have for themselves."""
    return {
        "notebooks": [*NOTEBOOKS, STORE, *notebooks(book, chapters)],
        "pages": [*PAGES, *named(chapters), "tests/pages"],
    }


def some_chapters(book, chapters):
    """{check: command} of what an author of these chapters waits for."""
    text = [*TESTS, *named(chapters), "tests/test_book.py"]
    return {"book": text, "notebooks": of_chapters(book, chapters)["notebooks"]}


def after_a_change(book, paths):
    """{check: command} of what a change of these paths can affect, and the names of the checks that are left out."""
    found, every = changed.affected(book, paths), whole_book(book)
    if found.checks is None:
        return every, []
    kept = {name: command for name, command in every.items() if name in found.checks}
    if "unit" in kept:
        kept["unit"] = [*kept["unit"][:-1], *found.tests]
    if found.chapters is not None:
        kept |= {name: some for name, some in of_chapters(book, found.chapters).items() if name in kept}
    return kept, [name for name in every if name not in kept]


def run(book, chapters=(), only_changed=False):
    """Runs all checks, those of some chapters, or those of what has changed; returns the exit status."""
    commands = some_chapters(book, chapters) if chapters else whole_book(book)
    if only_changed:
        commands, left_out = after_a_change(book, changed.paths(book))
        print(say(_("left out, since the change cannot affect it: {checks}"), checks=", ".join(left_out) or "–"))
    if chapters:  # what pytest would say at length
        leftovers.refuse_missing(book)
        faults.refuse(faults.in_sources(book), faults.BEFORE)
    reports = book.built("reports")
    shutil.rmtree(reports, ignore_errors=True)
    reports.mkdir(parents=True)
    counts, seconds = {}, {}
    for name, command in commands.items():
        print(f"\n== {name}", flush=True)
        report = reports / f"{name}.xml"
        own = [f"--junitxml={report}"] if command[: len(PYTEST)] == PYTEST else []
        with waiting.stage(name, shows_itself=True) as stage:
            counts[name] = count(processes.run([*command, *own], cwd=book.root), report)
            seconds[name] = round(stage.seconds, 1)
        files.write(reports / "seconds.json", json.dumps(seconds))
    return summarise(counts, seconds)


def count(status, report):
    """Counts passed, failed and skipped of a check with this exit status; one without tests counts as one."""
    counts = tests(report) if report.exists() else Counter({"failed" if status else "passed": 1})
    if status and not counts["failed"]:  # such as an error of the test runner itself
        counts["failed"] = 1
    return counts


def tests(report):
    """Counts the tests of a JUnit report."""
    counts = Counter()
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        counts["failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"] += 1
    return counts


def line(counts):
    names = ("passed", "failed", "skipped")
    return say(_("{passed} passed, {failed} failed, {skipped} skipped"), **{name: counts[name] for name in names})


def summarise(counts, seconds):
    """Prints a line for each check, with its seconds, and one for all; returns the exit status."""
    print()
    for name, own in counts.items():
        print(f"{name + ':':12}{seconds[name]:7.1f} s  {line(own)}")
    total = sum(counts.values(), Counter())
    if counts.get("pages", {}).get("skipped"):
        print(say(NO_BROWSER))
    print(line(total))
    return int(total["failed"] > 0)
