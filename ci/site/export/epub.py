"""Make the book as an EPUB."""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ci.book import Book, sphinx
from ci.execution import run
from ci.site.export import write_all


def write(book: Book, languages: Sequence[str], cache: Path) -> Iterator[Path]:
    """Make an EPUB in each of some languages from a cache of executed chapters; yield their paths.

    Raises:
      BookError: a page has a fault.
    """
    folder = book.built("epub")
    for language in languages:
        shutil.rmtree(folder / language, ignore_errors=True)
        name = f"flaxbook-{language}"
        folders = {"output": folder / language, "doctrees": folder / "doctrees" / language}
        sphinx.render_all(book, "epub", {language: folders}, cache=cache, epub_basename=name)
        yield (folder / language / f"{name}.epub").rename(folder / f"{name}.epub")


def export(book: Book, codes: Iterable[str]) -> None:
    """Execute the chapters that are not in the cache, and make an EPUB in each of some languages, or in all."""
    write_all(book, codes, lambda languages: write(book, languages, run.execute(book)[0]))
