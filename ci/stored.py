"""Makes a cache of the outputs stored in the notebooks, so that pages can be made without executing anything.

Translators use it: python -m ci.stored fills it and prints where it is. What is published comes from `ci.execute`.
"""

import hashlib

import nbformat
from jupyter_cache import get_cache

from ci import execute
from ci.chapters import BookError, here
from ci.errors import reported
from ci.execute import code_cells


def stored_path(book):
    return book.root / "_build" / "stored"


def with_stored_outputs(book, name):
    """Reads a chapter with the outputs of its notebook in the source language.

    Raises:
      BookError: the notebook is missing, or has other code.
    """
    chapter = execute.read(book, name)
    path = book.notebook(name, book.source_language)
    if not path.exists():
        raise BookError(f"there is no {book.relative(path)}: run ./ci/refresh.sh")
    cells, stored = code_cells(chapter), code_cells(nbformat.read(path, as_version=4))
    if [cell.source for cell in cells] != [cell.source for cell in stored]:
        raise BookError(f"{name}.md has other code than {book.relative(path)}: run ./ci/refresh.sh")
    for cell, other in zip(cells, stored, strict=True):
        cell.outputs, cell.execution_count = other.outputs, other.execution_count
    return chapter


def fill(book):
    """Puts what is new into the cache.

    Raises:
      BookError: as for `with_stored_outputs`.
    """
    cache = get_cache(stored_path(book))
    known = {record.data.get("digest") for record in cache.list_cache_records()}
    for name in book.chapters:
        notebook = with_stored_outputs(book, name)
        digest = hashlib.sha256(nbformat.writes(notebook).encode()).hexdigest()
        if digest not in known:
            execute.store(cache, notebook, name, {"digest": digest})


if __name__ == "__main__":
    with reported():
        book = here()
        fill(book)
        print(stored_path(book))
