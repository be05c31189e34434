"""The environment in which a chapter is executed, and those of readers, `book/environments.toml`."""

import os
import platform
import re
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, distributions, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ci import _
from ci.book import Book, BookError, processes
from ci.outputs.compare import Difference, same_line

LOCK = "lock-311" if sys.version_info < (3, 12) else "lock-313"
"""The environment with the half of the lock that this Python takes."""
TOLERANCE = 0.05  # relative, of the numbers in an announced line


def processor() -> str:
    """Return the name of the processor, or of its architecture if the system does not tell the name."""
    try:
        model = re.search(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:  # macOS, Windows
        model = None
    return model[1] if model else platform.processor() or platform.machine()


def environment(packages: Iterable[str]) -> dict[str, str | int | None]:
    """Return the date, the machine and the versions of some packages, for JSON; raise BookError if one is missing."""
    try:
        versions = {name: version(name) for name in packages}
    except PackageNotFoundError as error:
        sentence = _("_config.yml: {package} under `packages` is not installed: remove the line, or install it")
        raise BookError(sentence, package=error.name) from error
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "cores": os.cpu_count(),
        "Python": platform.python_version(),
        **versions,
    }


def locked(lock: str) -> list[str]:
    """Return "NAME==VERSION" of what a list of packages has for this version of Python and this platform."""
    packages = [Requirement(line) for line in re.findall(r"^\w[^\\\n]*", lock, re.MULTILINE)]
    return [f"{one.name}{one.specifier}" for one in packages if not one.marker or one.marker.evaluate()]


def differing(lock: str) -> list[str]:
    """Return those that are `locked` and not installed in this version."""
    found = {canonicalize_name(one.name): one.version for one in distributions()}
    packages = [Requirement(package) for package in locked(lock)]
    return [str(one) for one in packages if found.get(canonicalize_name(one.name), "") not in one.specifier]


def prepare_data(helper: str) -> None:
    """Run the program of the helper module, if it has one, which prepares data; raise BookError if it fails."""
    has_one = helper and find_spec(f"{helper}.__main__")
    if has_one and processes.run([sys.executable, "-m", helper]):
        raise BookError("the data set could not be prepared: put right what is said above, and run again")


@dataclass(frozen=True)
class Environment:
    """A row of `environments.toml`, which explains the fields."""

    python: str
    packages: list[str]
    variables: dict[str, str] = field(default_factory=dict)
    announced: list[str] = field(default_factory=list)


def environments(book: Book) -> dict[str, Environment]:
    """Return {name: environment} of `environments.toml`; {} if there is no such file."""
    table = book.root / "book" / "environments.toml"
    rows: dict[str, Any] = tomllib.loads(table.read_text(encoding="utf-8")) if table.exists() else {}
    return {name: Environment(**row) for name, row in rows.items()}


def announces(book: Book, differences: Iterable[Difference], name: str = LOCK) -> bool:
    """Return whether the new lines in the output of a cell, at least one, are all announced by an environment."""
    announced = [line for key, row in environments(book).items() if key == name for line in row.announced]
    fresh = [difference.got for difference in differences if difference.got]
    return bool(fresh) and all(any(same_line(known, line, TOLERANCE) for known in announced) for line in fresh)
