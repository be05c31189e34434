"""The environments in which readers run the notebooks, `book/environments.toml`."""

import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ci.book import Book
from ci.outputs.compare import Difference, same_line

LOCK = "lock-311" if sys.version_info < (3, 12) else "lock-313"
"""The environment with the half of the lock that this Python takes."""
TOLERANCE = 0.05  # relative, of the numbers in an announced line


@dataclass(frozen=True)
class Environment:
    """A row of `environments.toml`, which explains the fields."""

    python: str
    packages: list[str]
    variables: dict[str, str] = field(default_factory=dict)
    announced: list[str] = field(default_factory=list)


def load(book: Book) -> dict[str, Environment]:
    """Return {name: environment} of `environments.toml`; {} if there is no such file."""
    table = book.root / "book" / "environments.toml"
    rows: dict[str, Any] = tomllib.loads(table.read_text(encoding="utf-8")) if table.exists() else {}
    return {name: Environment(**row) for name, row in rows.items()}


def announces(book: Book, differences: Iterable[Difference], name: str = LOCK) -> bool:
    """Return whether the new lines in the output of a cell, at least one, are all announced by an environment."""
    announced = [line for key, row in load(book).items() if key == name for line in row.announced]
    fresh = [difference.got for difference in differences if difference.got]
    return bool(fresh) and all(any(same_line(known, line, TOLERANCE) for known in announced) for line in fresh)
