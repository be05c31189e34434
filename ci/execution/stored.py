"""A jupyter-cache of the outputs stored in the notebooks, to build pages without executing anything.

The commands for translators use it. What is published comes from `ci.execution.run`.
"""

from pathlib import Path

from nbformat import NotebookNode

from ci import _
from ci.book import Book, BookError
from ci.execution import saved
from ci.execution.cache import Cache, code_cells, copy_outputs, read

EXECUTION = "executed"  # metadata of a notebook that cannot be executed everywhere; see `execution`


def notebook(book: Book, name: str) -> NotebookNode:
    """Read the notebook of a chapter in the source language; raise BookError if that is impossible."""
    path = book.notebook(name, book.source_language)
    if notebook := saved.load(book, path):
        return notebook
    raise BookError(_("there is no {file}: run ./ci/book.sh refresh"), file=book.relative(path))


def execution(book: Book, name: str) -> dict[str, str]:
    """Return the record of the last execution in a chapter's notebook: "date", and hash of the "code"; or {}."""
    return dict(notebook(book, name).metadata.get(EXECUTION, {}))


def with_stored_outputs(book: Book, name: str) -> NotebookNode:
    """Return a chapter with the outputs of its notebook; raise BookError if that is missing, stale or not executed."""
    chapter, stored = read(book, name), notebook(book, name)
    file = book.relative(book.notebook(name, book.source_language))
    if [cell.source for cell in code_cells(chapter)] != [cell.source for cell in code_cells(stored)]:
        sentence = _("{name}.md has other code than {file}: run ./ci/book.sh refresh")
        raise BookError(sentence, name=name, file=file)
    for number, cell in enumerate(code_cells(stored), start=1):
        if cell.source and cell.execution_count is None:
            sentence = _("{file}, code cell {number}: never executed: run ./ci/book.sh refresh")
            raise BookError(sentence, file=file, number=number)
    copy_outputs(stored, chapter)
    return chapter


def fill(book: Book) -> Path:
    """Store each chapter with the outputs of its notebook in the cache; return the folder of the cache."""
    cache = Cache(book, book.built("stored"))
    cache.prepare()
    for name in book.chapters:
        cache.store(with_stored_outputs(book, name), name, {})
    return cache.path
