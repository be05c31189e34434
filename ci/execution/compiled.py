"""What JAX has compiled for the chapters, kept so that their next execution on this machine need not compile it again.

An entry is a program, and runs with the rights of whoever uses it. So the folder is in `_build`, to which nothing is
ever downloaded, belongs to one processor and one state of packages and helper module, and loses each entry that has
changed since it was listed.
"""

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nbformat import NotebookNode

from ci.book import Book
from ci.execution.cache import code_cells, digest, fingerprint
from ci.execution.environment import processor

COUNTS = "counts-compilations"  # a tag: the cell counts or times compilations, so the chapter must do them all
# Every program counts, however small; JAX locks the folder while it writes if there is a largest size.
SETTINGS = {
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    "JAX_COMPILATION_CACHE_MAX_SIZE": str(2**34),
}
LIST = "digests.json"
ENTRIES = "*-cache"


def folder(book: Book) -> Path:
    """Return the folder for this processor and this state of the book."""
    key = hashlib.sha256(repr((fingerprint(book), processor())).encode()).hexdigest()[:16]
    return book.built("programs", key)


def variables_for(notebook: NotebookNode, folder: Path | str) -> dict[str, str]:
    """Return the environment in which a kernel uses a folder; empty if the notebook counts or times compilations."""
    counts = any(COUNTS in cell.metadata.get("tags", []) for cell in code_cells(notebook))
    return {} if counts else {"JAX_COMPILATION_CACHE_DIR": str(folder), **SETTINGS}


def digests(path: Path) -> dict[str, str]:
    """Return {name: digest} of the entries of a folder."""
    return {entry.name: digest(entry.read_bytes()) for entry in path.glob(ENTRIES)}


def begin(book: Book) -> None:
    """Make the folder ready: remove the folders of other states, and entries that are not as they were listed."""
    path = folder(book)
    path.mkdir(parents=True, exist_ok=True)
    for other in set(filter(Path.is_dir, path.parent.iterdir())) - {path}:
        shutil.rmtree(other)
    try:
        listed = json.loads((path / LIST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        listed = {}
    damaged = [name for name, digest in digests(path).items() if listed.get(name) != digest]
    for name in damaged:
        (path / name).unlink()
    if damaged:
        print(f"{len(damaged)} compiled programs are not as they were left: removed", flush=True)


@contextmanager
def kept(book: Book) -> Iterator[None]:
    """Let what is executed within the context use the folder. If it fails, its programs are not used again."""
    begin(book)
    yield
    path = folder(book)
    (path / LIST).write_text(json.dumps(digests(path)), encoding="utf-8")
