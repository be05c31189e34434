"""Puts what validation produced and found equal where the book is built from, so that no cell is executed twice."""

import nbformat

from ci.execution import cache, compiled
from ci.execution.cache import code_cells, code_digest, executed, read
from ci.execution.run import prepare_data


def prepare(book):
    """Prepares the data and the cache before several processes use them at once.

    Raises:
      BookError: the data could not be prepared.
    """
    prepare_data()
    cache.begin(book)
    compiled.begin(book)


def store(book, path, outputs, language_info, seconds):
    """Stores the outputs of a notebook all of whose code cells were found equal.

    A notebook that is none of the book's in its source language, or has other code than its chapter, is left out.

    Args:
      path: of the notebook.
      outputs: for each code cell the outputs that it has just had, in a list.
      language_info: what its kernel says of the language, as stored in notebooks.
      seconds: of execution.
    """
    names = [name for name in book.chapters if book.notebook(name, book.source_language) == path]
    if not names:
        return
    (name,) = names
    notebook, validated = read(book, name), nbformat.read(path, as_version=4)
    if code_digest(notebook) != code_digest(validated):
        return
    for count, (cell, own) in enumerate(zip(code_cells(notebook), outputs, strict=True), start=1):
        cell.execution_count, cell.outputs = count, [nbformat.from_dict({**output}) for output in own]
    notebook.metadata["language_info"] = language_info
    executed(book).store_executed(notebook, name, seconds)
