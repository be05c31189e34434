"""JAX's compilation cache for the chapters, so that their next execution on this machine need not compile again.

An entry is a compiled program, which runs with the rights of its user. So the folder is in `_build`, to which nothing
is downloaded; there is one for each processor and `fingerprint` of the book; and `begin` deletes each entry that has
changed since it was listed.
"""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nbformat import NotebookNode

from ci.book import Book
from ci.execution.cache import code_cells, digest, fingerprint
from ci.execution.environment import processor

COUNTS = "counts-compilations"  # a tag: the cell counts or times compilations, so its chapter must not use the cache
# Every program is cached, however small. JAX locks the folder while it writes if a largest size is set.
SETTINGS = {
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    "JAX_COMPILATION_CACHE_MAX_SIZE": str(2**34),
}
LIST = "digests.json"
ENTRIES = "*-cache"


def folder(book: Book) -> Path:
    """Return the folder of compiled programs for this processor and the current `fingerprint` of the book."""
    return book.built("programs", digest(repr((fingerprint(book), processor())).encode())[:16])


def variables_for(notebook: NotebookNode, folder: Path | str) -> dict[str, str]:
    """Return environment variables by which a kernel uses the folder; none if a cell has the tag `COUNTS`."""
    counts = any(COUNTS in cell.metadata.get("tags", []) for cell in code_cells(notebook))
    return {} if counts else {"JAX_COMPILATION_CACHE_DIR": str(folder), **SETTINGS}


def digests(path: Path) -> dict[str, str]:
    """Return {name: hash} of the entries of a folder."""
    return {entry.name: digest(entry.read_bytes()) for entry in path.glob(ENTRIES)}


def begin(book: Book) -> None:
    """Prepare the folder: delete the folders of other states, and each entry that is not listed with its hash."""
    path = folder(book)
    path.mkdir(parents=True, exist_ok=True)
    for other in set(filter(Path.is_dir, path.parent.iterdir())) - {path}:
        shutil.rmtree(other)
    try:
        listed = json.loads((path / LIST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        listed = {}
    known = listed.items() if isinstance(listed, dict) else ()
    for name, _digest in digests(path).items() - known:
        (path / name).unlink()


@contextmanager
def kept(book: Book) -> Iterator[None]:
    """Prepare the folder for chapters executed within the context, and list the entries with their hashes at the end.

    If the context raises an exception, its new entries are not listed, and the next `begin` deletes them.
    """
    begin(book)
    yield
    path = folder(book)
    (path / LIST).write_text(json.dumps(digests(path)), encoding="utf-8")
