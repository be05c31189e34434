"""The last measurements of `ci.checks.growth`, how the costs of a book grow with its size: `book/growth.json`."""

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import linear_regression
from typing import Any, NamedTuple

import numpy as np

from ci import _
from ci.book import Book, files
from ci.execution import timings

COLD = "cold"
FIGURE = "book/_static/growth.svg"
LARGEST = (1000, 10)
"""The chapters and languages of a book whose costs are only computed."""
STEPS = {
    COLD: _("A book built from nothing"),
    "nothing": timings.STEPS["nothing"],
    "prose": timings.STEPS["prose"],
    "checks": _("All outputs, catalogues and notebooks checked"),
}


class Cost(NamedTuple):
    """What a step took in a synthetic book."""

    chapters: int
    languages: int
    step: str
    """A key of `STEPS`."""
    seconds: float
    busy: float
    """Core seconds."""
    megabytes: float
    """Resident memory of the largest process at its peak."""


class Model(NamedTuple):
    """Seconds of a step: `once + chapter · chapters + page · chapters · languages`."""

    once: float
    chapter: float
    page: float

    def seconds(self, chapters: Any, languages: int) -> Any:
        """Return the seconds for a book of this size; `chapters` is a number or an array."""
        return self.once + self.chapter * chapters + self.page * chapters * languages


def path(book: Book) -> Path:
    """Return the path of `book/growth.json`."""
    return book.root / "book" / "growth.json"


def load(book: Book) -> tuple[list[Cost], dict[str, Any]]:
    """Return the stored costs and the environment they were measured in; ([], {}) if there are none."""
    if not path(book).exists():
        return [], {}
    stored = json.loads(path(book).read_text(encoding="utf-8"))
    return [Cost(**cost) for cost in stored["costs"]], stored["environment"]


def store(book: Book, costs: Sequence[Cost], environment: dict[str, Any]) -> None:
    """Store costs in place of the earlier ones."""
    content = {"environment": environment, "costs": [cost._asdict() for cost in costs]}
    files.write(path(book), json.dumps(content, indent=1) + "\n")


def exponent(points: Sequence[tuple[int, float]]) -> float:
    """Return the slope of a line through (log size, log seconds); NaN if there is only one size."""
    if len({size for size, _seconds in points}) < 2:
        return math.nan
    return linear_regression(*zip(*((math.log(size), math.log(seconds)) for size, seconds in points), strict=True))[0]


def exponents(costs: Sequence[Cost], step: str) -> tuple[float, float]:
    """Return the exponents of a step: over chapters in the most languages, over languages with the most chapters."""
    own = [cost for cost in costs if cost.step == step]
    chapters, languages = max(cost.chapters for cost in own), max(cost.languages for cost in own)
    return (
        exponent([(cost.chapters, cost.seconds) for cost in own if cost.languages == languages]),
        exponent([(cost.languages, cost.seconds) for cost in own if cost.chapters == chapters]),
    )


def model(costs: Sequence[Cost], step: str) -> Model:
    """Return the `Model` of a step, fitted by least squares of relative errors."""
    own = [cost for cost in costs if cost.step == step]
    seconds = np.array([cost.seconds for cost in own])
    sizes = np.array([[1, cost.chapters, cost.chapters * cost.languages] for cost in own])
    return Model(*np.linalg.lstsq(sizes / seconds[:, None], np.ones(len(own)), rcond=None)[0].tolist())


class Row(NamedTuple):
    """How the costs of a step grow."""

    text: str
    """The step, in English."""
    exponents: tuple[float, float]
    """See `exponents`."""
    smallest: Cost
    largest: Cost
    seconds: float
    """For a book of the size `LARGEST`, computed."""


def rows(costs: Sequence[Cost]) -> list[Row]:
    """Return a `Row` for each measured step."""
    found = []
    for step, text in STEPS.items():
        if own := sorted(cost for cost in costs if cost.step == step):
            seconds = model(own, step).seconds(*LARGEST)
            found.append(Row(text, exponents(own, step), own[0], own[-1], seconds))
    return found


def scope(costs: Sequence[Cost]) -> dict[str, str]:
    """Return the measured sizes, as chapters × languages, and `LARGEST`, as words for a sentence, by name."""
    languages: dict[int, set[int]] = {}
    for cost in costs:
        languages.setdefault(cost.chapters, set()).add(cost.languages)
    books = [f"{chapters} × {', '.join(map(str, sorted(counts)))}" for chapters, counts in sorted(languages.items())]
    return {"books": "; ".join(books), "largest": " × ".join(f"{size:,}" for size in LARGEST)}


def words(row: Row, say: Callable[[str], str]) -> list[str]:
    """Return the table cells of a row: step, exponents, seconds and MB of two books, computed minutes."""
    numbers = [f"{exponent:.2f}" if math.isfinite(exponent) else "–" for exponent in row.exponents]
    sizes = [f"{cost.seconds:,.0f}\N{NO-BREAK SPACE}s, {cost.megabytes:,.0f}\N{NO-BREAK SPACE}MB" for cost in row[2:4]]
    return [say(row.text), *numbers, *sizes, f"{row.seconds / 60:,.0f}\N{NO-BREAK SPACE}min"]
