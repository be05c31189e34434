"""The executed chapters, in a jupyter-cache that all languages and the notebooks share."""

import errno
import hashlib
import os
import shutil
import sys
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import jupyter_cache
import nbformat
from jupyter_cache.base import CacheBundleIn
from myst_nb.core.read import MystMetadataParsingError, read_myst_markdown_notebook
from myst_parser.config.main import MdParserConfig
from nbformat.reader import NotJSONError
from sqlalchemy.exc import OperationalError

from ci.book import Book, BookError

# No entry, or one whose writer was killed before its file was complete.
UNREADABLE = (KeyError, NotJSONError)
ENTRY_VERSION = 2  # of what is stored beside a notebook
KEPT_CACHES = 3  # so that going back to another branch does not execute everything again


def fingerprint(book):
    """Names everything outside a chapter's code that its outputs depend on.

    jupyter-cache knows a notebook by its code alone. So each state of the helper module (with the version of the
    data in it), of the locked packages, of Python and of the choice of data set has a cache of its own.
    """
    digest = hashlib.sha256()
    for path in [book.root / "requirements.txt", *sorted((book.root / "flaxbook").glob("*.py"))]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update(repr((ENTRY_VERSION, sys.version_info[:2], os.environ.get("FLAXBOOK_DATASET", ""))).encode())
    return digest.hexdigest()[:16]


def cache_path(book):
    return book.built("cache", fingerprint(book))


def read(book, name):
    """Reads a chapter as the site's build reads it, so that both find the same entry of the cache.

    Raises:
      BookError: the metadata of a cell cannot be read.
    """
    text = book.source(name).read_text(encoding="utf-8")
    try:
        return read_myst_markdown_notebook(text, config=MdParserConfig(), path=str(book.source(name)))
    except MystMetadataParsingError as error:
        raise BookError(f"{name}.md: {' '.join(str(error).split())}: put these lines right, they are YAML") from error


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def code_digest(notebook):
    """A digest of what decides the outputs: the code, and the tags by which nbclient runs it."""

    def acting(cell):
        return sorted({"raises-exception", "skip-execution"}.intersection(cell.metadata.get("tags", [])))

    cells = [(cell.source, acting(cell)) for cell in code_cells(notebook)]
    return hashlib.sha256(repr(cells).encode()).hexdigest()


class Entry(NamedTuple):
    """What the cache has of a chapter."""

    notebook: nbformat.NotebookNode
    """With outputs."""
    data: dict
    """What was stored beside it: "execution_seconds", "environment" and the like."""


@contextmanager
def saying_full_disk():
    """Lets the database of jupyter-cache say that the disk is full as everything else does."""
    try:
        yield
    except OperationalError as error:
        if "disk is full" not in str(error):
            raise
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error


@dataclass(frozen=True)
class Cache:
    """Chapters of a book with their outputs, in the folder `path`."""

    book: Book
    path: Path

    @cached_property
    def entries(self):
        """The jupyter-cache in this folder."""
        return jupyter_cache.get_cache(self.path)

    def fetch(self, name):
        """The `Entry` of a chapter as it stands, or None."""
        return self.find(read(self.book, name))

    def find(self, notebook):
        """The `Entry` of a notebook, or None.

        An entry is also found by its code alone and is then stored again for the new metadata: a figure's
        description or a tag that only concerns the page is no reason to execute.
        """
        with suppress(*UNREADABLE):
            record = self.entries.match_cache_notebook(notebook)
            return Entry(self.entries.merge_match_into_notebook(notebook)[1], record.data)
        code = code_digest(notebook)
        for record in self.entries.list_cache_records():
            if record.data.get("code") != code:
                continue
            try:
                old = self.entries.get_cache_bundle(record.pk).nb
            except UNREADABLE:
                continue
            copy_outputs(old, notebook)
            notebook.metadata["language_info"] = old.metadata["language_info"]
            self.store(notebook, record.uri, record.data)
            return Entry(notebook, record.data)
        return None

    def store(self, notebook, name, data):
        """Puts an executed notebook into the cache."""
        _, key = self.entries.create_hashed_notebook(notebook)
        shutil.rmtree(self.entries.path / "executed" / key, ignore_errors=True)  # what a killed writer may have left
        with saying_full_disk():
            self.entries.cache_notebook_bundle(CacheBundleIn(notebook, name, data=data), overwrite=True)


def copy_outputs(source, notebook):
    """Gives the code cells of a notebook the outputs and counts of those of another one with the same code."""
    for cell, other in zip(code_cells(notebook), code_cells(source), strict=True):
        cell.outputs, cell.execution_count = other.outputs, other.execution_count


def executed(book):
    """The `Cache` that belongs to the book, its packages and its data as they are."""
    return Cache(book, cache_path(book))


def forget_old_caches(book):
    """Removes all but the caches used last."""
    caches = sorted(filter(Path.is_dir, cache_path(book).parent.iterdir()), key=lambda path: path.stat().st_mtime)
    for path in caches[:-KEPT_CACHES]:
        shutil.rmtree(path)
