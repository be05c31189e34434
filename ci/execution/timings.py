"""The last measurements of `ci.checks.bench`, how long building and checking the book takes: `book/bench.json`."""

import json
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from ci import _
from ci.book import Book, files

USUAL, OURS = "usual", "ours"
STEPS = {
    USUAL: _("The usual way: for each language its notebooks executed and built, then validated, one after the other"),
    OURS: _("This book: one execution validates the notebooks, and the book is built from it"),
    "nothing": _("Nothing changed"),
    "prose": _("A sentence changed"),
    "catalogue": _("A translation changed"),
    "code": _("A line of code changed"),
    "checks": _("All checks of a fresh clone"),
}
RATIO = _("The usual way / this book")


class Step(NamedTuple):
    """The measurement of a step in one round of the benchmark."""

    seconds: float
    cells: int | None = None
    """The number of executed code cells, or None if it means nothing for the step."""
    pages: int | None = None
    """The number of rendered pages in all languages, or None if it means nothing for the step."""


Bench = dict[str, Any]
"""The content of the file: "commit", "environment" and "rounds", a list of {name of a step: `Step`}."""


class Row(NamedTuple):
    """The statistics of a step over all rounds, or of the ratio of two steps."""

    text: str
    """What was measured, in English."""
    median: float
    low: float
    high: float
    unit: str
    """ "s", or "×" for a ratio."""
    last: Step = Step(0)
    """The step in the last round, for its cells and pages."""


def path(book: Book) -> Path:
    """Return the path of `book/bench.json`."""
    return book.root / "book" / "bench.json"


def load(book: Book) -> Bench | None:
    """Return the stored measurements, or None if there are none."""
    if not path(book).exists():
        return None
    bench = json.loads(path(book).read_text(encoding="utf-8"))
    return bench | {"rounds": [{name: Step(**step) for name, step in steps.items()} for steps in bench["rounds"]]}


def store(book: Book, bench: Bench) -> None:
    """Store measurements in place of the earlier ones."""
    rounds = [{name: step._asdict() for name, step in steps.items()} for steps in bench["rounds"]]
    files.write(path(book), json.dumps(bench | {"rounds": rounds}, indent=1) + "\n")


def rows(rounds: list[dict[str, Step]]) -> list[Row]:
    """Return a `Row` for each measured step, then one for the ratio of `USUAL` to `OURS` within each round."""
    found = []
    for name, text in STEPS.items():
        if steps := [steps[name] for steps in rounds if name in steps]:
            seconds = [step.seconds for step in steps]
            found.append(Row(text, median(seconds), min(seconds), max(seconds), "s", steps[-1]))
    if ratios := [steps[USUAL].seconds / steps[OURS].seconds for steps in rounds if {USUAL, OURS} <= steps.keys()]:
        found.append(Row(RATIO, median(ratios), min(ratios), max(ratios), "×"))
    return found


def words(row: Row, say: Callable[[str], str]) -> list[str]:
    """Return the table cells of a row: what was measured, median, minimum, maximum, cells, pages; `say` translates."""
    digits = 1 if row.unit == "s" else 2
    numbers = [f"{value:,.{digits}f}\N{NO-BREAK SPACE}{row.unit}" for value in (row.median, row.low, row.high)]
    if row.low == row.high:  # measured once
        numbers[1:] = ["", ""]
    counts = ["" if count is None else str(count) for count in (row.last.cells, row.last.pages)]
    return [say(row.text), *numbers, *counts]
