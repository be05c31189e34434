"""Measure what authors wait for, and write it into book/bench.json: `nox -s bench -- ROUNDS`.

A round works on a clone of the last commit, so that it changes nothing here and begins without a cache. It takes about
two hours on two cores, which should have nothing else to do. So rounds can be run one at a time: the last ones from
the same machine are kept.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import polib
import yaml
from rich.console import Console
from rich.table import Table

from ci.book import Book, BookError, here, processes
from ci.checks import checks
from ci.execution import frameworks, timings
from ci.execution.environment import environment
from ci.execution.run import SUMMARY, prepare_data
from ci.execution.timings import Step

BUILD = [*checks.CI, "build"]
OURS = ("book", "notebooks", "refresh")  # the checks that build every language and validate all notebooks
USUAL = [*checks.PYTEST, "--nbval", "-p", "no:cacheprovider", "notebooks"]
EXECUTED = re.compile(SUMMARY.format(count=r"(\d+)"))  # in the output of `build`
VALIDATED = re.compile(r"(\d+) passed")  # in the output of nbval
SHOWN = 3000  # last characters of the output of a command that failed
KEPT = 3  # rounds
EDITED = 3  # chapters: each of the three edits changes a different one


class Run(NamedTuple):
    """What a command printed and took."""

    output: str
    seconds: float
    busy: float
    """Core seconds of the command and of its processes, without those that nobody waited for, such as Ray's."""
    megabytes: float
    """Resident memory of the largest process at its peak."""


def run(command: list[str], folder: Path, variables: dict[str, str]) -> Run:
    """Run a command in a folder and print how long it took.

    On an exception such as `KeyboardInterrupt`, stop the command with its own processes.

    Raises:
      BookError: The command fails.
    """
    words = " ".join(Path(word).name for word in command)
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        start = time.monotonic()
        process = subprocess.Popen(
            command, cwd=folder, env=os.environ | variables, stdout=log, stderr=log, start_new_session=True
        )
        try:
            _pid, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            processes.stop(process)
            raise
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        log.seek(0)
        output = log.read()
    if process.returncode:
        raise BookError(f"{words} failed: {output[-SHOWN:]}")
    print(f"  {seconds:7.1f} s  {words}", flush=True)
    unit = 2**20 if sys.platform == "darwin" else 2**10  # of `ru_maxrss`: bytes or KiB
    return Run(output, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)


def cells(pattern: re.Pattern[str], output: str) -> int:
    """Return the sum of the numbers of cells that a pattern finds in the output of commands."""
    return sum(map(int, pattern.findall(output)))


def rendered(tree: Book) -> dict[Path, int]:
    """Return {path: modification time} of the rendered pages in all languages."""
    return {path: path.stat().st_mtime_ns for path in tree.built("sphinx").glob("*/book/**/*.html")}


def measure(tree: Book, *commands: list[str]) -> Step:
    """Run commands in a clone of the book; return their time, the cells that they executed and pages they rendered."""
    before = rendered(tree)
    runs = [run(command, tree.root, {"PYTHONPATH": str(tree.root)}) for command in commands]
    pages = sum(before.get(page) != when for page, when in rendered(tree).items())
    executed = cells(EXECUTED, "".join(one.output for one in runs))
    return Step(sum(one.seconds for one in runs), executed, pages, sum(one.busy for one in runs))


def clone(book: Book, folder: Path) -> Book:
    """Clone the last commit of a book into a folder, with a link to its virtual environment; return the clone."""
    subprocess.run(["git", "clone", "--quiet", book.root, folder], check=True)
    (folder / ".venv").symlink_to(book.root / ".venv")
    return Book(folder)


def usual_project(book: Book, language: str, folder: Path) -> None:
    """Write a plain Jupyter Book project into a folder: the notebooks of one language and the configuration files."""
    chapters = []
    for source in (book.notebook(name, language) for name in book.chapters):
        target = folder / source.relative_to(book.root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        chapters.append({"file": target.relative_to(folder).with_suffix("").as_posix()})
    shutil.copy(book.root / "notebooks" / "conftest.py", folder / "notebooks")
    execute = {"execute_notebooks": "force", "timeout": book.cell_timeout, "run_in_temp": True}
    (folder / "_config.yml").write_text(yaml.safe_dump({"title": book.title, "execute": execute}), encoding="utf-8")
    toc = {"format": "jb-book", "root": "index", "chapters": chapters}
    (folder / "_toc.yml").write_text(yaml.safe_dump(toc), encoding="utf-8")
    (folder / "index.md").write_text(f"# {book.title}\n", encoding="utf-8")


def usual_way(book: Book, folder: Path) -> Step:
    """Measure Jupyter Book and nbval, each of which executes every cell, in the source language.

    Returns:
      The measurement times the number of languages, since all have the same code.

    Raises:
      BookError: A command fails, or a cell raises an error.
    """
    variables, number = {"PYTHONPATH": frameworks.python_path(book, book.root)}, len(book.languages)
    usual_project(book, book.source_language, folder)
    built = run(["jupyter-book", "build", "-q", "--all", "."], folder, variables)
    if failed := list(folder.glob("_build/html/reports/**/*.log")):
        raise BookError(failed[0].read_text(encoding="utf-8"))
    validated = run(USUAL, folder, variables)
    executed, pages = 2 * cells(VALIDATED, validated.output), len(list(folder.glob("_build/html/notebooks/**/*.html")))
    seconds, busy = built.seconds + validated.seconds, built.busy + validated.busy
    return Step(number * seconds, number * executed, number * pages, number * busy)


def edit_prose(book: Book) -> None:
    """Add a sentence to the first chapter."""
    with book.source(book.chapters[0]).open("a", encoding="utf-8") as file:
        file.write("\nThat is all.\n")


def edit_catalogue(book: Book) -> None:
    """Add a word to the last translation of the second chapter."""
    entries = polib.pofile(str(book.catalogue(book.chapters[1], book.translations[0])))
    entries[-1].msgstr += " …"
    entries.save()


def edit_code(book: Book) -> None:
    """Add a line to the last code cell of the third chapter."""
    path = book.source(book.chapters[2])
    before, cell, after = path.read_text(encoding="utf-8").rpartition("```{code-cell}")
    path.write_text(before + cell + after.replace("\n```\n", "\n# One more line.\n```\n", 1), encoding="utf-8")


EDITS: dict[str, Callable[[Book], None]] = {
    "nothing": lambda book: None,
    "prose": edit_prose,
    "catalogue": edit_catalogue,
    "code": edit_code,
}


def one_round(book: Book) -> timings.Round:
    """Run one round of the benchmark in a fresh clone.

    This book comes first: that its files are not in memory yet can only make it slower.
    """
    with tempfile.TemporaryDirectory() as folder:
        tree = clone(book, Path(folder, "tree"))
        every = checks.whole_book(tree)
        steps = {timings.OURS: measure(tree, *(every[name] for name in OURS))}
        steps["checks"] = Step(measure(tree, [*checks.CI, "test"]).seconds)
        steps[timings.USUAL] = usual_way(tree, Path(folder, "usual"))
        for name, edit in EDITS.items():
            edit(tree)
            steps[name] = measure(tree, BUILD)
        commit = (tree.git("rev-parse", "--short", "HEAD") or "").strip()
        return timings.Round(commit, environment(book.packages), steps)


def report(book: Book, rounds: int) -> None:
    """Run rounds of the benchmark; store each beside the last ones from such a machine, and print all at the end."""
    if len(book.chapters) < EDITED or not book.translations:
        raise BookError(f"the edits need {EDITED} chapters and a translation")
    frameworks.refuse_lacking(book, book.chapters)
    prepare_data(book.helper)
    for number in range(1, rounds + 1):
        print(f"round {number} of {rounds}", flush=True)
        current = one_round(book)
        same = [one for one in timings.load(book) if one.machine == current.machine]
        timings.store(book, [*same, current][-KEPT:])
    table = Table("step", "median", "fastest", "slowest", "cells executed", "pages rendered")
    for row in timings.rows(timings.load(book)):
        table.add_row(*timings.words(row, str))
    Console().print(table)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the running command is stopped as well
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rounds", nargs="?", type=int, default=3)
    try:
        report(here(), parser.parse_args().rounds)
    except BookError as error:
        raise SystemExit(f"error: {error.say(str)}") from error
