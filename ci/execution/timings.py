"""How long building and checking the book took when `bench` ran last: `book/bench.json`."""

import json
from statistics import median
from typing import NamedTuple

from ci import _
from ci.book import BookError, files

USUAL, OURS, FLOOR, BUSY = "usual", "ours", "floor", "busy"
STEPS = {
    USUAL: _("The usual way: for each language its notebooks executed and built, then validated, one after the other"),
    OURS: _("This book: one execution validates the notebooks, and the book is built from it"),
    FLOOR: _("The floor: the seconds of the cells alone, shared by all cores"),
    BUSY: _("The floor for busy cores: the processor seconds of one validation, shared by all cores"),
    "nothing": _("Nothing changed"),
    "prose": _("A sentence changed"),
    "catalogue": _("A translation changed"),
    "code": _("A line of code changed"),
    "chapter": _("A new chapter"),
    "language": _("Another language, all its pages rendered"),
    "checks": _("All checks of a fresh clone"),
}
RATIOS = {
    (USUAL, OURS): _("The usual way / this book"),
    (OURS, FLOOR): _("This book / the floor"),
    (OURS, BUSY): _("This book / the floor for busy cores"),
}


class Step(NamedTuple):
    """One measurement of one step."""

    seconds: float
    cells: int | None = None
    """Executed code cells, or None where that says nothing."""
    pages: int | None = None
    """Rendered pages, all languages together, or None where that says nothing."""
    memory: int | None = None
    """Bytes of all processes together when they were most, each shared one shared out (PSS on Linux)."""


class Row(NamedTuple):
    """A step over all rounds, or the ratio of two steps."""

    text: str
    """English; what was measured."""
    median: float
    low: float
    high: float
    unit: str
    """ "s", or "×" for a ratio."""
    last: Step | None = None
    """The step in the last round, for its cells and pages."""


def path(book):
    return book.root / "book" / "bench.json"


def load(book):
    """What was measured last, {"environment": …, "rounds": [{step: Step}], …}, or None.

    Raises:
      BookError: the file is not what `bench` writes.
    """
    file = path(book)
    if not file.exists():
        return None
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        rounds = [{name: Step(**step) for name, step in one.items()} for one in found["rounds"]]
        rows(rounds)
        found["environment"]["date"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        sentence = _("{file} cannot be read ({error}): measure again with ./ci/book.sh bench")
        raise BookError(sentence, file=book.relative(file), error=error) from error
    return found | {"rounds": rounds}


def store(book, found):
    """Stores what `load` returns."""
    rounds = [{name: step._asdict() for name, step in one.items()} for one in found["rounds"]]
    files.write(path(book), json.dumps(found | {"rounds": rounds}, indent=1) + "\n")


def row(text, values, unit, last=None):
    return Row(text, median(values), min(values), max(values), unit, last)


def rows(rounds):
    """A `Row` for each step that was measured, then for each ratio; a ratio is taken within each round."""
    steps = [
        row(text, [one[name].seconds for one in rounds if name in one], "s", next(
            one[name] for one in reversed(rounds) if name in one
        ))
        for name, text in STEPS.items()
        if any(name in one for one in rounds)
    ]  # fmt: skip
    ratios = []
    for (first, second), text in RATIOS.items():
        both = [one for one in rounds if {first, second} <= one.keys()]
        if both:
            ratios.append(row(text, [one[first].seconds / one[second].seconds for one in both], "×"))
    return steps + ratios


def words(row, say):
    """The cells of a table that show a `Row`: what, median, from, to, cells, pages.

    Args:
      say: translates.
    """
    digits = 1 if row.unit == "s" else 2
    numbers = [f"{value:,.{digits}f}\N{NO-BREAK SPACE}{row.unit}" for value in (row.median, row.low, row.high)]
    if row.low == row.high:  # measured once
        numbers[1:] = ["", ""]
    counts = ["" if count is None else str(count) for count in (row.last or Step(0))[1:3]]
    return [say(row.text), *numbers, *counts]
