"""Measure what authors wait for, and write it into book/bench.json: `nox -s bench -- ROUNDS`.

A round works on a clone of the last commit, so that it changes nothing here and begins without a cache. It takes more
than an hour on two cores, which should have nothing else to do. So rounds can be run one at a time: the last ones are
kept, each with its commit and machine.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
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
    """Core seconds of the command and of the processes that it waited for."""
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
    return Run(output, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def cells(pattern: re.Pattern[str], output: str) -> int:
    """Return the sum of the numbers of cells that a pattern finds in the output of commands."""
    return sum(map(int, pattern.findall(output)))


def rendered(tree: Book) -> dict[Path, int]:
    """Return {path: modification time} of the rendered pages in all languages."""
    return {path: path.stat().st_mtime_ns for path in tree.built("sphinx").glob("*/book/**/*.html")}


def measure(tree: Book, *commands: list[str]) -> Step:
    """Run commands in a clone of the book; return their time, the cells that they executed and pages they rendered."""
    variables = {"PYTHONPATH": frameworks.python_path(tree, tree.root)}
    before = rendered(tree)
    runs = [run(command, tree.root, variables) for command in commands]
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


def usual_way(book: Book, language: str, folder: Path) -> Step:
    """Measure Jupyter Book and nbval, each of which executes every cell, in one language; count it for each language.

    Raises:
      BookError: A command fails, or a cell raises an error.
    """
    variables, number = {"PYTHONPATH": frameworks.python_path(book, book.root)}, len(book.languages)
    usual_project(book, language, folder)
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


def one_round(book: Book, language: str) -> Iterator[tuple[str, Step]]:
    """Run one round of the benchmark in a fresh clone; yield the name and the measurement of each step."""
    with tempfile.TemporaryDirectory() as folder:
        tree = clone(book, Path(folder, "tree"))
        every = checks.whole_book(tree)
        yield timings.OURS, measure(tree, *(every[name] for name in OURS))
        yield "checks", Step(measure(tree, [*checks.CI, "test"]).seconds)
        yield timings.USUAL, usual_way(tree, language, Path(folder, language))
        for name, edit in EDITS.items():
            edit(tree)
            yield name, measure(tree, BUILD)


def report(book: Book, rounds: int) -> None:
    """Run rounds of the benchmark, each with the usual way in another language; print the results at the end.

    Each step is stored when it has been measured, beside the last complete rounds.
    """
    if len(book.chapters) < EDITED or not book.translations:
        raise BookError(f"the edits need {EDITED} chapters and a translation")
    frameworks.refuse_lacking(book, book.chapters)
    prepare_data(book.helper)
    commit, machine = (book.git("rev-parse", "--short", "HEAD") or "").strip(), environment(book.packages)
    for language in islice(cycle(book.languages), rounds):
        print(f"a round at commit {commit}, the usual way in {language}", flush=True)
        kept = [one for one in timings.load(book) if one.steps.keys() >= timings.STEPS.keys()][1 - KEPT :]
        current = timings.Round(commit, machine, {})
        for name, step in one_round(book, language):
            current.steps[name] = step
            timings.store(book, [*kept, current])
    table = Table("step", "median", "fastest", "slowest", "cells executed", "pages rendered")
    for row in timings.rows(timings.load(book)):
        table.add_row(*timings.words(row, str))
    Console().print(table)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the running command is stopped as well
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rounds", nargs="?", type=int, default=1)
    try:
        report(here(), parser.parse_args().rounds)
    except BookError as error:
        raise SystemExit(f"error: {error.say(str)}") from error
