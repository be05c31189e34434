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


def variables(folder: Path | str) -> dict[str, str]:
    """Return the environment in which JAX uses a folder."""
    return {"JAX_COMPILATION_CACHE_DIR": str(folder), **SETTINGS}


def folder(book: Book) -> Path:
    """Return the folder for this processor and this state of the book."""
    key = hashlib.sha256(repr((fingerprint(book), processor())).encode()).hexdigest()[:16]
    return book.built("programs", key)


def counts(notebook: NotebookNode) -> bool:
    """Return whether a notebook counts or times compilations."""
    return any(COUNTS in cell.metadata.get("tags", []) for cell in code_cells(notebook))


def variables_for(book: Book, notebook: NotebookNode) -> dict[str, str]:
    """Return the environment for the kernel of a notebook."""
    return {} if counts(notebook) else variables(folder(book))


def digests(path: Path) -> dict[str, str]:
    """Return {name: digest} of the entries of a folder."""
    return {entry.name: digest(entry.read_bytes()) for entry in path.glob(ENTRIES)}


def remove_damaged(path: Path) -> int:
    """Remove the entries that are not listed, or differ from the list; return how many."""
    try:
        known = json.loads((path / LIST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = {}
    damaged = [name for name, digest in digests(path).items() if known.get(name) != digest]
    for name in damaged:
        (path / name).unlink()
    return len(damaged)


def begin(book: Book) -> None:
    """Make the folder ready, remove those of other states, and say how many programs had to be removed."""
    path = folder(book)
    path.mkdir(parents=True, exist_ok=True)
    for other in set(filter(Path.is_dir, path.parent.iterdir())) - {path}:
        shutil.rmtree(other)
    if count := remove_damaged(path):
        print(f"{count} compiled programs are not as they were left: thrown away", flush=True)


def end(book: Book) -> None:
    """List what the folder has, once no kernel writes into it any more."""
    path = folder(book)
    (path / LIST).write_text(json.dumps(digests(path)), encoding="utf-8")


@contextmanager
def kept(book: Book) -> Iterator[None]:
    """Let what is executed within the context use the folder. If it fails, its programs are not used again."""
    begin(book)
    yield
    end(book)
