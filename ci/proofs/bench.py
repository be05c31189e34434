"""Measures what authors wait for, in rounds: the usual way to build and check such a book, this book's, and the floor.

All of it is done to clones of the last commit in folders of their own, so that nothing here is changed or found warm.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import yaml
from rich.console import Console
from rich.table import Table

from ci import _
from ci.book import Book, BookError, git, waiting
from ci.book import lock as tree_lock
from ci.catalogues.sentences import say
from ci.execution import timings
from ci.execution.environment import environment
from ci.execution.run import SUMMARY, prepare_data
from ci.execution.timings import FLOOR, OURS, USUAL, Step
from ci.proofs import checks, edits
from ci.proofs.measured import Meter

BUILD, REFRESH = [*checks.CI, "build"], [*checks.CI, "refresh"]
OURS_CHECKS = ("notebooks", "book", "refresh")  # both languages built, and the notebooks of both found true
VALIDATE = [*checks.PYTEST, "--nbval", "-p", "no:cacheprovider", "-o", "junit_duration_report=call"]
HEADINGS = (_("median"), _("fastest"), _("slowest"), _("cells executed"), _("pages rendered"))
EXECUTED = re.compile(SUMMARY.format(count=r"(\d+)"))
EDITS = {"nothing": None, "prose": edits.prose, "catalogue": edits.catalogue, "code": edits.code}


def clone(book, folder):
    """The last commit as a `Book` in a folder, with the environment of this one.

    Raises:
      BookError: git could not clone it.
    """
    command = ["git", "clone", "-q", book.root, folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BookError(_("git could not clone the book: {error}"), error=done.stderr.strip())
    Path(folder, ".venv").symlink_to(book.root / ".venv")
    return Book(Path(folder))


def meter(book, folder):
    """A `Meter` for commands that work on a clone."""
    kept = {name: value for name, value in os.environ.items() if name != tree_lock.HELD}
    return Meter(kept | {"PYTHONPATH": str(book.root)}, folder / "said.log", lambda line: print(line, flush=True))


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

    None is cut in two. It is an estimate: JAX uses more than one core within a cell, and programs that several
    notebooks share are compiled once.
    """
    return max(sum(seconds.values()) / cores, max(seconds.values()))


def usual(book, folder):
    """Builds and validates each language by itself, one notebook after the other, with nothing kept.

    Returns:
      {step: Step} of this, and of the floor for the notebooks of the source language.

    Raises:
      BookError: a cell failed.
    """
    measured, cells, pages = meter(book, folder), 0, 0
    for code in book.languages:
        own, report = folder / code, folder / f"{code}.xml"
        usual_project(book, code, own)
        measured.run(["jupyter-book", "build", "-q", "--all", "."], own)
        if failed := list(own.glob("_build/html/reports/**/*.log")):
            raise BookError(failed[0].read_text(encoding="utf-8"))
        measured.run([*VALIDATE, f"--junitxml={report}", "notebooks"], own)
        cells += 2 * count_tests(report)
        pages += len(list(own.glob("_build/html/notebooks/**/*.html")))
    floor = Step(floor_seconds(seconds_of_notebooks(folder / f"{book.source_language}.xml"), os.cpu_count()))
    return {USUAL: Step(measured.seconds, cells, pages, measured.memory), FLOOR: floor}


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


def after(book, folder, *commands):
    """The `Step` of some commands on a built book."""
    measured, before = meter(book, folder), edits.rendered(book)
    said = "".join(measured.run(command, book.root) for command in commands)
    pages = sum(before.get(page) != when for page, when in edits.rendered(book).items())
    return Step(measured.seconds, executed_cells(said), pages, measured.memory)


def after_edits(book, folder):
    """What is waited for after each edit of a built book, until its pages show it; {step: Step}."""
    steps = {}
    for name, edit in EDITS.items():
        if edit:
            edit(book)
        steps[name] = after(book, folder, BUILD)
    after(book, folder, REFRESH)  # what is left of these edits must not count below
    edits.forget_programs(book)  # a new chapter has none
    steps["chapter"] = after(edits.chapter(book), folder, REFRESH, BUILD)
    return steps


def of_a_language(book, folder):
    """What rendering all languages takes more than rendering the source's alone, as a `Step`."""
    edits.forget_rendered(book)
    every = after(book, folder, BUILD)
    edits.forget_rendered(book)
    one = after(edits.source_language_alone(book), folder, BUILD)
    others = len(book.translations)
    return Step((every.seconds - one.seconds) / others, every.cells, (every.pages - one.pages) // others)


def one_round(book, number):
    """Everything once; returns {step: Step}. Which of the two ways comes first changes from round to round."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        tree, steps = clone(book, folder / "tree"), {}
        for way in (usual, ours) if number % 2 else (ours, usual):
            steps |= way(tree, folder)
        steps |= after_edits(tree, folder)
        return steps | {"language": of_a_language(Book(tree.root), folder)}


def all_checks(book):
    """All checks of a fresh clone, as a `Step`, and the bytes of each language's site, {language: bytes}.

    Raises:
      BookError: a check failed, or no page was opened.
    """
    with tempfile.TemporaryDirectory() as folder:
        tree = clone(book, Path(folder, "tree"))
        measured = meter(tree, Path(folder))
        measured.run([*checks.CI, "test"], tree.root)
        if checks.tests(tree.built("reports", "pages.xml"))["skipped"]:
            raise BookError(checks.NO_BROWSER)
        site = {
            code: sum(path.stat().st_size for path in tree.built("html", code).rglob("*") if path.is_file())
            for code in tree.languages
        }
        return Step(measured.seconds, memory=measured.memory), site


def table(rows):
    """A table of `timings.Row`s, for a terminal."""
    shown = Table("", *map(say, HEADINGS))
    for row in rows:
        shown.add_row(*timings.words(row, say))
    return shown


def sizes(found):
    """A text about memory and the size of the site."""
    usual, ours = (found["rounds"][-1][name].memory / 1e9 for name in (USUAL, OURS))
    site = ", ".join(f"{code} {size / 1e6:.1f} MB" for code, size in found["site"].items())
    text = _("most memory: the usual way {usual} GB, this book {ours} GB; the site: {site}")
    return say(text, usual=f"{usual:.1f}", ours=f"{ours:.1f}", site=site)


def draw(book, found):
    """Draws the medians as bars, with the rounds as points; returns the path of the picture."""
    from matplotlib.figure import Figure  # which takes a second

    shown = [one for one in timings.rows(found["rounds"]) if one.unit == "s"]
    figure = Figure(figsize=(9, 0.45 * len(shown) + 1), layout="constrained")
    axes = figure.subplots()
    axes.barh([one.text for one in shown], [max(one.median, 0) for one in shown], color="tab:blue")
    for place, one in enumerate(shown):
        axes.plot([one.low, one.high], [place, place], color="black", marker="|")
    axes.invert_yaxis()
    axes.set(xscale="log", xlabel="seconds")
    target = book.built("bench.png")
    figure.savefig(target)
    return target


def refuse_small(book):
    """Refuses a book that is too small for the edits.

    Raises:
      BookError: it is.
    """
    if len(book.chapters) < edits.CHAPTERS or not book.translations:
        sentence = _("there is too little to measure: {count} chapters and a translation are needed")
        raise BookError(sentence, count=edits.CHAPTERS)


def stored_before(book):
    """What was measured last, or None; a file that cannot be read is about to be replaced."""
    try:
        return timings.load(book)
    except BookError:
        return None


def report(book, rounds):
    """Measures so many rounds, then all checks; stores what was found after each, and prints it beside the last one.

    Raises:
      BookError: a step failed; what was measured before it is stored.
    """
    refuse_small(book)
    prepare_data()
    before, console = stored_before(book), Console()
    commit = (git.git(book, "rev-parse", "--short", "HEAD") or "").strip()
    print(say(_("measured is commit {commit}, without what is not committed"), commit=commit), flush=True)
    found = {"commit": commit, "environment": environment(), "rounds": []}
    with waiting.stage(_("measuring"), rounds, _("rounds")) as advance:
        for number in range(1, rounds + 1):
            found["rounds"].append(one_round(book, number))
            timings.store(book, found)
            advance()
    found["rounds"][-1]["checks"], found["site"] = all_checks(book)
    timings.store(book, found)
    if before:
        date = before["environment"]["date"]
        console.print(say(_("before ({date})"), date=date), table(timings.rows(before["rounds"])))
    console.print(table(timings.rows(found["rounds"])), sizes(found))
    print(say(_("to see it drawn: {path}"), path=book.relative(draw(book, found))))
