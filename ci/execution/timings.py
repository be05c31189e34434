"""The last measurements of `ci.checks.bench`, how long building and checking the book takes: `book/bench.json`."""

import json
from collections.abc import Callable, Iterable, Sequence
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
    "checks": _("All checks after a build"),
}
RATIO = _("The usual way / this book")
SPREAD = _("This book / its core seconds divided by the cores")


class Step(NamedTuple):
    """The measurement of a step in one round of the benchmark."""

    seconds: float
    cells: int | None = None
    """The number of executed code cells, or None if it means nothing for the step."""
    pages: int | None = None
    """The number of rendered pages in all languages, or None if it means nothing for the step."""
    busy: float | None = None
    """Core seconds, or None if they mean nothing for the step."""


class Round(NamedTuple):
    """A round of the benchmark."""

    commit: str
    environment: dict[str, Any]
    steps: dict[str, Step]
    """{a key of `STEPS`: its measurement}"""

    @property
    def machine(self) -> dict[str, Any]:
        """The environment without the date."""
        return {name: value for name, value in self.environment.items() if name != "date"}


class Row(NamedTuple):
    """The statistics of a step over all rounds, or of a ratio."""

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


def load(book: Book) -> list[Round]:
    """Return the stored rounds, the oldest first."""
    if not path(book).exists():
        return []
    return [
        Round(one["commit"], one["environment"], {name: Step(**step) for name, step in one["steps"].items()})
        for one in json.loads(path(book).read_text(encoding="utf-8"))
    ]


def store(book: Book, rounds: Iterable[Round]) -> None:
    """Store rounds in place of the earlier ones."""
    content = [one._asdict() | {"steps": {name: step._asdict() for name, step in one.steps.items()}} for one in rounds]
    files.write(path(book), json.dumps(content, indent=1) + "\n")


def row(text: str, values: Sequence[float], unit: str, *last: Step) -> Row:
    """Return the `Row` of some measurements."""
    return Row(text, median(values), min(values), max(values), unit, *last)


def spread(one: Round) -> float | None:
    """Return `SPREAD`: 1 if all cores worked all the time; None if it was not measured."""
    step = one.steps.get(OURS)
    return step.seconds / (step.busy / one.environment["cores"]) if step and step.busy else None


def rows(rounds: Sequence[Round]) -> list[Row]:
    """Return a `Row` for each measured step, then one for each ratio, which is taken within each round."""
    found = []
    for name, text in STEPS.items():
        if steps := [one.steps[name] for one in rounds if name in one.steps]:
            found.append(row(text, [step.seconds for step in steps], "s", steps[-1]))
    both = [one.steps for one in rounds if {USUAL, OURS} <= one.steps.keys()]
    if ratios := [steps[USUAL].seconds / steps[OURS].seconds for steps in both]:
        found.append(row(RATIO, ratios, "×"))
    if ratios := [ratio for one in rounds if (ratio := spread(one))]:
        found.append(row(SPREAD, ratios, "×"))
    return found


def words(row: Row, say: Callable[[str], str]) -> list[str]:
    """Return the table cells of a row: what was measured, median, minimum, maximum, cells, pages; `say` translates."""
    digits = 1 if row.unit == "s" else 2
    numbers = [f"{value:,.{digits}f}\N{NO-BREAK SPACE}{row.unit}" for value in (row.median, row.low, row.high)]
    if row.low == row.high:  # measured once
        numbers[1:] = ["", ""]
    counts = ["" if count is None else str(count) for count in (row.last.cells, row.last.pages)]
    return [say(row.text), *numbers, *counts]
