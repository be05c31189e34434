"""A cache of executed chapters that reads each of them only once in a build."""

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from jupyter_cache.cache.db import NbCacheRecord
from nbformat import NotebookNode

from ci.book import Book
from ci.execution.cache import Cache, Entry, cache_path, read

Value = TypeVar("Value")


@dataclass(frozen=True)
class BuildCache(Cache):
    """A cache of executed chapters that keeps in memory each chapter, cache entry and list of entries that it reads.

    Callers must not modify the notebooks that it returns. The chapters must not change during a build.
    """

    kept: dict[tuple[str, ...], Any] = field(default_factory=dict, compare=False, repr=False)

    def keep(self, make: Callable[[], Value], *key: str) -> Value:
        """Return the stored value of a key; if there is none, call `make` and store what it returns."""
        if key not in self.kept:
            self.kept[key] = make()
        return self.kept[key]

    def records(self) -> list[NbCacheRecord]:
        """Return the records of all cache entries."""
        return self.keep(super().records, "records")

    def chapter(self, name: str) -> NotebookNode:
        """Return a chapter without outputs.

        Raises:
          BookError: The metadata of a cell cannot be read.
        """
        return self.keep(lambda: read(self.book, name), "chapter", name)

    def record(self, name: str) -> NbCacheRecord | None:
        """Return the record of the cache entry of a chapter, or None."""
        return self.keep(lambda: self.match(self.chapter(name)), "record", name)

    def fetch(self, name: str) -> Entry | None:
        """Return the cache entry of a chapter, or None."""

        def entry() -> Entry | None:
            record = self.record(name)
            return self.entry(record, copy.deepcopy(self.chapter(name))) if record else None

        return self.keep(entry, "entry", name)


def opened(book: Book) -> BuildCache:
    """Return the cache for the current state of the book, its packages and its data."""
    return BuildCache(book, cache_path(book))
