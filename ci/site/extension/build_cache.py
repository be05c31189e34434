"""The executed chapters as one build sees them."""

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
    """A cache of executed chapters that reads each chapter, each entry and its own list once.

    Nobody changes a chapter while a build reads it, and no component changes a notebook that it is given.
    """

    kept: dict[tuple[str, ...], Any] = field(default_factory=dict, compare=False, repr=False)

    def keep(self, make: Callable[[], Value], *key: str) -> Value:
        """Return what `make` returned when it was called first for a key."""
        if key not in self.kept:
            self.kept[key] = make()
        return self.kept[key]

    def records(self) -> list[NbCacheRecord]:
        """Return the list of the cache."""
        return self.keep(super().records, "records")

    def chapter(self, name: str) -> NotebookNode:
        """Return a chapter without outputs.

        Raises:
          BookError: The metadata of a cell cannot be read.
        """
        return self.keep(lambda: read(self.book, name), "chapter", name)

    def record(self, name: str) -> NbCacheRecord | None:
        """Return the record of a chapter's entry, or None."""
        return self.keep(lambda: self.match(self.chapter(name)), "record", name)

    def fetch(self, name: str) -> Entry | None:
        """Return the entry of a chapter, or None."""

        def entry() -> Entry | None:
            record = self.record(name)
            return self.entry(record, copy.deepcopy(self.chapter(name))) if record else None

        return self.keep(entry, "entry", name)


def opened(book: Book) -> BuildCache:
    """Return the cache that belongs to the book, its packages and its data as they are."""
    return BuildCache(book, cache_path(book))
