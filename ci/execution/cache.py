"""The jupyter-cache of the executed chapters, from which the pages and notebooks of all languages are made."""

import errno
import hashlib
import os
import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import jupyter_cache
import nbclient.client
import nbformat
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.cache.db import DB_NAME, NbCacheRecord
from jupyter_cache.cache.main import JupyterCacheBase
from myst_nb.core import utils
from myst_nb.core.read import MystMetadataParsingError, read_myst_markdown_notebook
from myst_parser.config.main import MdParserConfig
from nbformat import NotebookNode
from sqlalchemy.exc import DatabaseError, OperationalError

from ci import _
from ci.book import NOT_YAML, Book, BookError, display, install, one_line
from ci.execution.environment import locked

ENTRY_VERSION = 3  # of the data that is stored beside a notebook
UNREADABLE = (DatabaseError, RuntimeError, ValueError)  # jupyter-cache makes some errors of the database RuntimeErrors
# The error codes of a damaged database; None stands for an entry that is no JSON.
DAMAGE = (None, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
KEPT_CACHES = 3  # more than one, so that going back to another branch does not execute everything again

# What a carriage return overwrites. Theirs have no `^`, so a printed line of 100,000 characters takes them minutes.
for module in (nbclient.client, utils):
    vars(module)["_RGX_CARRIAGERETURN"] = re.compile(r"^.*\r(?=[^\n])", re.MULTILINE)


def fingerprint(book: Book) -> str:
    """Return a hash of everything except a chapter's code on which its outputs depend.

    jupyter-cache identifies a notebook by its code alone. So there is a separate cache for each state of the helper
    module (with the version of the data in it), of the locked packages, of Python and of the environment variables
    that `_config.yml` lists under `variables`.
    """
    texts = [path.read_text(encoding="utf-8") for path in install.lists(book.root)]
    digest = hashlib.sha256(repr([locked(text) for text in texts]).encode())
    for path in sorted((book.root / book.helper).glob("*.py") if book.helper else ()):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    variables = [os.environ.get(name, "") for name in book.variables]
    digest.update(repr((ENTRY_VERSION, sys.version_info[:2], *variables)).encode())
    return digest.hexdigest()[:16]


def cache_path(book: Book) -> Path:
    """Return the folder of the cache for the current `fingerprint` of the book."""
    return book.built("cache", fingerprint(book))


def read(book: Book, name: str) -> NotebookNode:
    """Read a chapter as the site's build reads it, so that both find the same cache entry."""
    text = book.source(name).read_text(encoding="utf-8")
    try:
        return read_myst_markdown_notebook(text, config=MdParserConfig(), path=str(book.source(name)))
    except (MystMetadataParsingError, nbformat.ValidationError, *NOT_YAML, AttributeError, TypeError) as error:
        raise BookError(f"{name}.md: {one_line(error)}: put these lines right, they are YAML") from error


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """Return the code cells of a notebook."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def code_digest(notebook: NotebookNode) -> str:
    """Return a hash of what decides the outputs: the code, and the tags that nbclient obeys."""

    def obeyed(cell: NotebookNode) -> list[str]:
        return sorted({"raises-exception", "skip-execution"}.intersection(cell.metadata.get("tags", [])))

    cells = [(cell.source, obeyed(cell)) for cell in code_cells(notebook)]
    return digest(repr(cells).encode())


class Entry(NamedTuple):
    """The cache entry of a chapter."""

    notebook: NotebookNode
    """The chapter with its outputs."""
    data: dict[str, Any]
    """The data stored beside the notebook: "execution_seconds", "environment", "file" (a hash of it) and the like."""

    @property
    def was_executed(self) -> bool:
        """Whether the outputs come from an execution, not from the stored notebook."""
        return "execution_seconds" in self.data


@contextmanager
def full_disk() -> Iterator[None]:
    """Raise OSError if a database cannot be written since the disk is full, as other files do."""
    try:
        yield
    except OperationalError as error:
        if "full" not in str(error):
            raise
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error


@dataclass(frozen=True)
class Cache:
    """A jupyter-cache with chapters of a book and their outputs, in the folder `path`.

    An entry that is not as it was stored counts as none: it is damaged, or another process is writing it.
    """

    book: Book
    path: Path

    @cached_property
    def entries(self) -> JupyterCacheBase:
        """The jupyter-cache in this folder."""
        return jupyter_cache.get_cache(self.path)

    def prepare(self) -> None:
        """Register the cache as the one used last; if its list cannot be read, delete all entries and say so.

        If another program holds the list, or the disk fails, nothing is deleted, and BookError is raised. Call it only
        while holding the lock of the working tree (`ci.book.lock`).
        """
        self.path.mkdir(parents=True, exist_ok=True)
        os.utime(self.path)
        try:
            with self.entries.db.connect() as connection:
                readable = connection.exec_driver_sql("PRAGMA quick_check").scalar() == "ok"
            self.entries.list_cache_records()
        except UNREADABLE as error:
            if not is_damage(error):
                raise BookError(f"{self.book.relative(self.path / DB_NAME)}: {error}: run again") from error
            readable = False
        if not readable:
            self.entries.clear_cache()
            sentence = _("the list of the outputs in {folder} is damaged: begun anew")
            display.tell(sentence, folder=self.book.relative(self.path))
            with full_disk():
                self.entries.list_cache_records()  # creates it, before several processes use it at once

    def records(self) -> list[NbCacheRecord]:
        """Return the records of all entries; [] if there is no list, or none that can be read."""
        try:
            return self.entries.list_cache_records() if (self.path / DB_NAME).exists() else []
        except UNREADABLE:
            return []

    def fetch(self, name: str) -> Entry | None:
        """Return the `Entry` of a chapter in its current form, or None."""
        notebook = read(self.book, name)
        found = self.match(notebook)
        return self.entry(notebook, *found) if found else None

    def renew(self, notebook: NotebookNode) -> dict[str, Any]:
        """Return the data of the `Entry` of a notebook; {} if there is none.

        If its metadata have changed since it was stored, store it again: the site finds it by code and metadata.
        """
        if not (found := self.match(notebook)):
            return {}
        record, content = found
        if record.hashkey != self.key(notebook):
            self.store(self.entry(notebook, record, content).notebook, record.uri, record.data)
        return record.data

    def entry(self, notebook: NotebookNode, record: NbCacheRecord, content: bytes) -> Entry:
        """Return the `Entry` of a record with its content: the given notebook, to which the outputs are added."""
        old = nbformat.reads(content.decode(), nbformat.NO_CONVERT)
        copy_outputs(old, notebook)
        if "language_info" in old.metadata:
            notebook.metadata["language_info"] = old.metadata["language_info"]
        return Entry(notebook, record.data)

    def match(self, notebook: NotebookNode) -> tuple[NbCacheRecord, bytes] | None:
        """Return the record and the content of the entry that has the outputs of a notebook, or None.

        An entry with the same code and other metadata counts, too, so that a chapter is not executed again for the
        description of a figure, or for a tag that only concerns the page.
        """
        key, code = self.key(notebook), code_digest(notebook)
        records = [record for record in self.records() if record.hashkey == key or record.data.get("code") == code]
        for record in sorted(records, key=lambda record: record.hashkey != key):
            with suppress(FileNotFoundError):  # another process may just have replaced it
                content = (self.folder(record.hashkey) / "base.ipynb").read_bytes()
                if digest(content) == record.data.get("file"):
                    return record, content
        return None

    def key(self, notebook: NotebookNode) -> str:
        """Return the key of a notebook in jupyter-cache."""
        return self.entries.create_hashed_notebook(notebook)[1]

    def folder(self, key: str) -> Path:
        """Return the folder of the entry that has a key."""
        return self.entries.path / "executed" / key

    def store(self, notebook: NotebookNode, name: str, data: dict[str, Any]) -> None:
        """Store a notebook with outputs in the cache, with data beside it."""
        for count, cell in enumerate(code_cells(notebook), start=1):
            cell.execution_count = count  # jupyter-cache demands it; an empty cell has none, an edited one another
        kept, key = self.entries.create_hashed_notebook(notebook)
        data = data | {"file": digest(nbformat.writes(kept, nbformat.NO_CONVERT).encode())}
        shutil.rmtree(self.folder(key), ignore_errors=True)  # files that a killed process may have left
        with full_disk():
            self.entries.cache_notebook_bundle(CacheBundleIn(notebook, name, data=data), overwrite=True)


def is_damage(error: BaseException | None) -> bool:
    """Return whether an error of `UNREADABLE` means a damaged database, not one that is locked or a failing disk."""
    while error and not isinstance(error, sqlite3.Error):
        error = getattr(error, "orig", None) or error.__cause__
    return getattr(error, "sqlite_errorcode", None) in DAMAGE


def digest(content: bytes) -> str:
    """Return the SHA-256 hash of some bytes."""
    return hashlib.sha256(content).hexdigest()


def copy_outputs(source: NotebookNode, notebook: NotebookNode) -> None:
    """Copy outputs and execution counts of code cells from `source` to `notebook`, which has the same code."""
    for cell, other in zip(code_cells(notebook), code_cells(source), strict=True):
        cell.outputs, cell.execution_count = other.outputs, other.execution_count


def executed(book: Book) -> Cache:
    """Return the `Cache` for the current `fingerprint` of the book."""
    return Cache(book, cache_path(book))


def forget_old_caches(book: Book) -> None:
    """Delete all caches except the `KEPT_CACHES` used last."""
    caches = sorted(filter(Path.is_dir, cache_path(book).parent.iterdir()), key=lambda path: path.stat().st_mtime)
    for path in caches[:-KEPT_CACHES]:
        shutil.rmtree(path)
