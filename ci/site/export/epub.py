"""Write the book as an EPUB."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from ci.book import Book, sphinx


def write(book: Book, languages: Sequence[str], cache: Path) -> Iterator[Path]:
    """Write an EPUB in each language from executed chapters; yield its path; raise BookError if a page has a fault."""
    folder = book.built("epub")
    for language in languages:
        shutil.rmtree(folder / language, ignore_errors=True)
        name = f"{book.name}-{language}"
        folders = {"output": folder / language, "doctrees": folder / "doctrees" / language}
        sphinx.render_all(book, "epub", {language: folders}, cache=cache, epub_basename=name)
        yield (folder / language / f"{name}.epub").rename(folder / f"{name}.epub")
