"""Two ways from nothing to a book in every language whose notebooks are found true, and the least they could take."""

import os
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import yaml

from ci import _
from ci.book import Book, BookError
from ci.book import lock as tree_lock
from ci.checks import checks, edits
from ci.checks.measured import Meter
from ci.execution import frameworks
from ci.execution.run import SUMMARY
from ci.execution.timings import BUSY, FLOOR, OURS, USUAL, Step

OURS_CHECKS = ("notebooks", "book", "refresh")  # both languages built, and the notebooks of both found true
VALIDATE = [*checks.PYTEST, "--nbval", "-p", "no:cacheprovider", "-o", "junit_duration_report=call"]
EXECUTED = re.compile(SUMMARY.format(count=r"(\d+)"))


def clone(book, folder, commit="HEAD"):
    """A commit as a `Book` in a folder, with the environment of this one.

    Raises:
      BookError: git could not clone it.
    """
    for command in (["clone", "-q", "--no-checkout", book.root, folder], ["-C", folder, "checkout", "-q", commit]):
        done = subprocess.run(["git", *command], capture_output=True, text=True, check=False)
        if done.returncode:
            raise BookError(_("git could not clone the book: {error}"), error=done.stderr.strip())
    Path(folder, ".venv").symlink_to(book.root / ".venv")
    return Book(Path(folder))


def meter(book, folder):
    """A `Meter` for commands that work on a clone."""
    kept = {name: value for name, value in os.environ.items() if name != tree_lock.HELD}
    kept["PYTHONPATH"] = frameworks.python_path(book, book.root)
    return Meter(kept, folder / "said.log", lambda line: print(line, flush=True))


def usual_project(book, code, folder):
    """Writes what is usual: the notebooks of one language, and what Jupyter Book needs to execute and build them."""
    chapters = []
    for source in (book.notebook(name, code) for name in book.chapters):
        target = folder / source.relative_to(book.root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        chapters.append({"file": target.relative_to(folder).with_suffix("").as_posix()})
    shutil.copy(book.root / "notebooks" / "conftest.py", folder / "notebooks")
    execute = {"execute_notebooks": "force", "timeout": book.cell_timeout, "run_in_temp": True}
    for name, content in {
        "_config.yml": {"title": book.title, "execute": execute},
        "_toc.yml": {"format": "jb-book", "root": "index", "chapters": chapters},
    }.items():
        (folder / name).write_text(yaml.safe_dump(content), encoding="utf-8")
    (folder / "index.md").write_text(f"# {book.title}\n", encoding="utf-8")


def count_tests(report):
    """How many tests a JUnit report has; each is a cell."""
    return sum(checks.tests(report).values())


def seconds_of_notebooks(report):
    """The seconds of the cells of each notebook in a JUnit report."""
    seconds = Counter()
    for case in ElementTree.parse(report).iter("testcase"):
        seconds[case.get("classname")] += float(case.get("time"))
    return seconds


def floor_seconds(seconds, cores):
    """The least that notebooks can take which take so many seconds, {name: seconds}, each with all cores to itself.

    None is cut in two. JAX uses more than one core within a cell, so no order of work reaches this where all cores are
    busy; the processor seconds say what could be. Programs that several notebooks share are compiled once.
    """
    return max(sum(seconds.values()) / cores, max(seconds.values()))


def usual(book, folder):
    """Builds and validates each language by itself, one notebook after the other, with nothing kept.

    Returns:
      {step: Step} of this, and of the two floors for the notebooks of the source language.

    Raises:
      BookError: a cell failed.
    """
    measured, cells, pages, busy = meter(book, folder), 0, 0, {}
    for code in book.languages:
        own, report = folder / code, folder / f"{code}.xml"
        usual_project(book, code, own)
        measured.run(["jupyter-book", "build", "-q", "--all", "."], own)
        if failed := list(own.glob("_build/html/reports/**/*.log")):
            raise BookError(failed[0].read_text(encoding="utf-8"))
        before = measured.processor
        measured.run([*VALIDATE, f"--junitxml={report}", "notebooks"], own)
        busy[code] = measured.processor - before
        cells += 2 * count_tests(report)
        pages += len(list(own.glob("_build/html/notebooks/**/*.html")))
    source, cores = book.source_language, os.cpu_count()
    return {
        USUAL: Step(measured.seconds, cells, pages, measured.memory),
        FLOOR: Step(floor_seconds(seconds_of_notebooks(folder / f"{source}.xml"), cores)),
        BUSY: Step(busy[source] / cores),
    }


def ours(book, folder):
    """Does the same as the checks do it, from nothing; returns {step: Step}."""
    measured, commands, report = meter(book, folder), checks.whole_book(book), folder / "ours.xml"
    commands["notebooks"] = [*commands["notebooks"], f"--junitxml={report}"]
    said = [measured.run(commands[name], book.root) for name in OURS_CHECKS]
    cells = count_tests(report) + executed_cells("".join(said))
    return {OURS: Step(measured.seconds, cells, len(edits.rendered(book)), measured.memory)}


def executed_cells(said):
    """How many cells were executed, by what commands have said; at least one of them must have said it."""
    found = EXECUTED.findall(said)
    assert found, said
    return sum(map(int, found))
