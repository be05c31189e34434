"""The executed chapters, in a jupyter-cache that all languages and the notebooks share."""

import errno
import hashlib
import json
import os
import shutil
import sqlite3
import sys
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import jupyter_cache
import nbformat
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.cache.db import DB_NAME, NbCacheRecord
from myst_nb.core.read import MystMetadataParsingError, read_myst_markdown_notebook
from myst_parser.config.main import MdParserConfig
from sqlalchemy.exc import OperationalError

from ci import _
from ci.book import Book, BookError, Sentence, installed, waiting
from ci.execution.environment import environment

ENTRY_VERSION = 3  # of what is stored beside a notebook
KEPT_CACHES = 3  # so that going back to another branch does not execute everything again


def fingerprint(book):
    """Names everything outside a chapter's code that its outputs depend on.

    jupyter-cache knows a notebook by its code alone. So each state of the helper module (with the version of the
    data in it), of the locked packages, of Python and of the choice of data set has a cache of its own.
    """
    digest = hashlib.sha256()
    for path in [*installed.lists(book.root), *sorted((book.root / "flaxbook").glob("*.py"))]:
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
    """What was stored beside it: "execution_seconds", "environment", "file" (its digest) and the like."""

    @property
    def was_executed(self):
        """Whether its outputs are not those of the notebook."""
        return "execution_seconds" in self.data


@contextmanager
def saying_full_disk():
    """Lets the database of jupyter-cache say that the disk is full as everything else does."""
    try:
        yield
    except OperationalError as error:
        if "disk is full" not in str(error):
            raise
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error


def damaged(database):
    """Whether a file is not the database of a jupyter-cache, or not a whole one."""
    if not database.exists():
        return False
    try:
        with closing(sqlite3.connect(database)) as connection:
            connection.text_factory = bytes
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
            if b"nbcache" not in tables or connection.execute("PRAGMA quick_check").fetchone() != (b"ok",):
                return True
            for (data,) in connection.execute("SELECT data FROM nbcache"):
                json.loads(data)
    except sqlite3.OperationalError:  # such as one that is locked
        return False
    except (sqlite3.DatabaseError, ValueError):
        return True
    return False


@dataclass(frozen=True)
class Cache:
    """Chapters of a book with their outputs, in the folder `path`.

    Whoever reads skips an entry that is not as it was left, since another process may just be writing it; who has the
    tree's lock throws it away by `mend`.
    """

    book: Book
    path: Path
    remedy: str = _("executed again")
    """What then becomes of the chapter."""

    @cached_property
    def entries(self):
        """The jupyter-cache in this folder."""
        return jupyter_cache.get_cache(self.path)

    def mend(self):
        """Makes the folder ready; throws away what is not as it was left, and says so. Needs the tree's lock."""
        if damaged(self.path / DB_NAME):
            self.entries.clear_cache()
            sentence = _("the list of the outputs in {folder} is damaged: begun anew")
            waiting.tell(sentence, folder=self.book.relative(self.path))
        for record in self.entries.list_cache_records():  # creates the list, before several processes use it at once
            if not self.is_sound(record):
                shutil.rmtree(self.folder(record.hashkey), ignore_errors=True)
                NbCacheRecord.remove_records([record.pk], self.entries.db)
                sentence = _("{name}: its outputs in the cache are not as they were left: {remedy}")
                waiting.tell(sentence, name=record.uri, remedy=Sentence(self.remedy))

    def records(self):
        """What the list has; nothing if it is damaged, or only just begun by another process."""
        database = self.path / DB_NAME
        return self.entries.list_cache_records() if database.exists() and not damaged(database) else []

    def fetch(self, name):
        """The `Entry` of a chapter as it stands, or None."""
        return self.find(read(self.book, name))

    def find(self, notebook):
        """The `Entry` of a notebook, or None."""
        record = self.match(notebook)
        return record and self.entry(record, notebook)

    def renew(self, notebook):
        """As `find`; what is found by its code alone is stored again for the new metadata, by which the site looks."""
        record = self.match(notebook)
        entry = record and self.entry(record, notebook)
        if record and record.hashkey != self.key(notebook):
            self.store(entry.notebook, record.uri, record.data)
        return entry

    def entry(self, record, notebook):
        """The `Entry` of a notebook that has this record."""
        if record.hashkey == self.key(notebook):
            return Entry(self.entries.merge_match_into_notebook(notebook)[1], record.data)
        old = self.entries.get_cache_bundle(record.pk).nb
        copy_outputs(old, notebook)
        notebook.metadata["language_info"] = old.metadata["language_info"]
        return Entry(notebook, record.data)

    def match(self, notebook):
        """The record of a notebook's entry, or None.

        An entry is also found by its code alone: a figure's description or a tag that only concerns the page is no
        reason to execute.
        """
        key, code = self.key(notebook), code_digest(notebook)
        found = (record for record in self.records() if record.hashkey == key or record.data.get("code") == code)
        return min(filter(self.is_sound, found), key=lambda record: record.hashkey != key, default=None)

    def key(self, notebook):
        """That by which jupyter-cache knows a notebook."""
        return self.entries.create_hashed_notebook(notebook)[1]

    def folder(self, key):
        """Where the entry is that jupyter-cache knows by a key."""
        return self.entries.path / "executed" / key

    def is_sound(self, record):
        """Whether an entry is as it was left."""
        try:
            content = (self.folder(record.hashkey) / "base.ipynb").read_bytes()
        except FileNotFoundError:
            return False
        return digest(content) == record.data.get("file")

    def store(self, notebook, name, data):
        """Puts a notebook with outputs into the cache, and a dict beside it."""
        kept, key = self.entries.create_hashed_notebook(notebook)
        data = data | {"file": digest(nbformat.writes(kept, nbformat.NO_CONVERT).encode())}
        shutil.rmtree(self.folder(key), ignore_errors=True)  # what a killed writer may have left
        with saying_full_disk():
            self.entries.cache_notebook_bundle(CacheBundleIn(notebook, name, data=data), overwrite=True)

    def store_executed(self, notebook, name, seconds):
        """Puts a chapter that was just executed, in so many seconds, into the cache."""
        data = {"execution_seconds": seconds, "code": code_digest(notebook), "environment": environment()}
        self.store(notebook, name, data)


def digest(content):
    return hashlib.sha256(content).hexdigest()


def copy_outputs(source, notebook):
    """Gives the code cells of a notebook the outputs and counts of those of another one with the same code."""
    for cell, other in zip(code_cells(notebook), code_cells(source), strict=True):
        cell.outputs, cell.execution_count = other.outputs, other.execution_count


def executed(book):
    """The `Cache` that belongs to the book, its packages and its data as they are."""
    return Cache(book, cache_path(book))


def begin(book):
    """Makes the folder of the cache ready, as the one used last; returns the `Cache`. Needs the tree's lock."""
    cache = executed(book)
    cache.path.mkdir(parents=True, exist_ok=True)
    os.utime(cache.path)
    cache.mend()
    return cache


def forget_old_caches(book):
    """Removes all but the caches used last."""
    caches = sorted(filter(Path.is_dir, cache_path(book).parent.iterdir()), key=lambda path: path.stat().st_mtime)
    for path in caches[:-KEPT_CACHES]:
        shutil.rmtree(path)
