"""The machine and the day on which a chapter was executed."""

import os
import platform
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ci import _
from ci.book import Book, BookError


def processor() -> str:
    """Return the name of the processor, or of its architecture if the system does not tell the name."""
    try:
        model = re.search(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:  # macOS, Windows
        model = None
    return model[1] if model else platform.processor() or platform.machine()


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Return {package: version}; raise BookError if one is not installed."""
    try:
        return {name: version(name) for name in packages}
    except PackageNotFoundError as error:
        sentence = _("_config.yml: {package} under `packages` is not installed: remove the line, or install it")
        raise BookError(sentence, package=error.name) from error


def environment(book: Book) -> dict[str, str | int | None]:
    """Return the date, the machine and the versions of the packages of a book, for JSON."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "cores": os.cpu_count(),
        "Python": platform.python_version(),
        **versions(book.packages),
    }
