"""The lists of packages: requirements.txt, and for some chapters requirements-frameworks.txt."""

import re
import tempfile
from pathlib import Path

from ci.book import files, processes
from ci.book.installed import FRAMEWORKS_LOCK, LOCK

COMPILE = [
    *("uv", "pip", "compile", "--quiet", "--universal", "--fork-strategy", "fewest", "--python-version", "3.11"),
    "--no-header",
]
BOOK = ["--generate-hashes", "--group", "book", "--group", "check", "--output-file", LOCK]
FRAMEWORKS = ["--no-annotate", "--constraints", LOCK, "--group", "frameworks", "--output-file"]
NAME = re.compile(r"^[a-z0-9][a-z0-9._-]*", re.MULTILINE | re.IGNORECASE)
FOR_GPUS = re.compile(r"nvidia-|cuda-|triton\b")  # of which the builds for CPUs have no need


def others(compiled, book_packages):
    """The lines of a compiled list without what the book has already, and without what only GPUs need."""
    own = set(NAME.findall(book_packages))
    lines = [(line, NAME.match(line)) for line in compiled.splitlines()]
    return [line for line, name in lines if name and name[0] not in own and not FOR_GPUS.match(line)]


def renew(book, options):
    """Makes both anew from pyproject.toml, with more options for uv; returns the exit status."""
    if status := processes.run([*COMPILE, *BOOK, *options, "pyproject.toml"], cwd=book.root):
        return status
    path = book.root / FRAMEWORKS_LOCK
    with tempfile.TemporaryDirectory() as folder:
        compiled = Path(folder) / path.name
        if path.exists():  # its versions are kept, as those of requirements.txt
            compiled.write_bytes(path.read_bytes())
        if status := processes.run([*COMPILE, *FRAMEWORKS, compiled, *options, "pyproject.toml"], cwd=book.root):
            return status
        lines = others(compiled.read_text(encoding="utf-8"), (book.root / LOCK).read_text(encoding="utf-8"))
    files.write(path, "".join(f"{line}\n" for line in lines))
    return 0
