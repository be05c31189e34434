"""Take the book elsewhere: a chapter as a post for a blog, the whole book as an EPUB or a PDF."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ci import _
from ci.book import Book
from ci.catalogues.sentences import say


def write_all(book: Book, codes: Iterable[str], write: Callable[[Sequence[str]], Iterable[Path]]) -> None:
    """Write a file for each of some languages, or for all if none is named, and print the paths.

    Args:
      write: writes the files of a list of languages and yields their paths.

    Raises:
      UsageError: the book does not have a language.
      BookError: as for `write`.
    """
    languages = [book.find_language(code) for code in codes or book.languages]
    for file in write(languages):
        print(say(_("written: {path}"), path=book.relative(file)))
