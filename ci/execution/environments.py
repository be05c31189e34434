"""The environments in which readers run the notebooks, `book/environments.toml`, and what came of it, `.json`."""

import json
import re
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ci.book import Book, here
from ci.outputs import compare

LOCK = "lock-311" if sys.version_info < (3, 12) else "lock-313"
"""The environment with the half of the lock that this Python takes."""
GOT = re.compile(r"^  got:       (.*)$", re.MULTILINE)  # a line of an output, in a difference of ci.outputs.compare
TOLERANCE = 0.05  # relative, of the numbers in an announced line


@dataclass(frozen=True)
class Environment:
    """A row of `environments.toml`, which explains the fields."""

    python: str
    packages: list[str]
    variables: dict[str, str] = field(default_factory=dict)
    announced: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Failure:
    """A cell whose fresh output is not the stored one."""

    notebook: str
    """The path of the notebook, such as "notebooks/en/training/dropout.ipynb"."""
    cell: str
    """The name of the cell, such as "code cell 3"."""
    text: str
    """What was expected and found."""


@dataclass(frozen=True)
class Outcome:
    """The results of the notebooks in an environment."""

    date: str
    versions: dict[str, str]
    """{package: version}, also of Python."""
    changed: list[str]
    """The packages that were there and that the installation changed, such as "numpy 2.0.2 -> 2.3.1"."""
    added: list[str]
    """The packages that the installation added."""
    cells: dict[str, dict[str, int]]
    """{notebook: {"passed": 30, "announced": 1, "failed": 0, "skipped": 0}}"""
    failures: list[Failure]


def load() -> dict[str, Environment]:
    """Return {name: environment} of `environments.toml`; {} if there is no such file."""
    table = here().root / "book" / "environments.toml"
    rows: dict[str, Any] = tomllib.loads(table.read_text(encoding="utf-8")) if table.exists() else {}
    return {name: Environment(**row) for name, row in rows.items()}


def is_announced(difference: str, name: str = LOCK) -> bool:
    """Return whether the lines that differ in the output of a cell are all announced by an environment."""
    environment = load().get(name)
    announced = environment.announced if environment else []
    fresh = [line for line in GOT.findall(difference) if line not in ("", compare.MISSING)]
    return bool(fresh) and all(
        any(compare.same_line(expected, line, TOLERANCE) for expected in announced) for line in fresh
    )


def path(book: Book) -> Path:
    """Return the path of `book/environments.json`."""
    return book.root / "book" / "environments.json"


def read(file: Path) -> dict[str, Outcome]:
    """Return {environment: outcome} of a file; {} if there is no such file."""
    rows: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    failures = {name: [Failure(**failure) for failure in row["failures"]] for name, row in rows.items()}
    return {name: Outcome(**row | {"failures": failures[name]}) for name, row in rows.items()}
