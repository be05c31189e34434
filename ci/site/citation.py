"""The facts of CITATION.cff, which say which version of the book this is. `book/cite.md` says how to cite it."""

from typing import Any

import yaml

from ci.book import Book, BookError

FILE = "CITATION.cff"


def load(book: Book) -> dict[str, Any]:
    """Return the content of CITATION.cff.

    Raises:
      BookError: It cannot be read.
    """
    try:
        return yaml.safe_load((book.root / FILE).read_text(encoding="utf-8"))
    except (yaml.YAMLError, OSError) as error:
        raise BookError(f"{FILE}: {error}") from error


def version(book: Book) -> str:
    """Return the version that CITATION.cff names; "" if the book has no such file."""
    return str(load(book)["version"]) if (book.root / FILE).exists() else ""
