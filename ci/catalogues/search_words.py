"""Read locale/search.csv: words by which readers search for a section, although its text does not contain them."""

from collections.abc import Collection, Mapping
from pathlib import Path

from ci import _
from ci.book import Book, BookError
from ci.catalogues import lists

Place = tuple[str, str]  # a page and the id of a section; "" for the page itself


def path(book: Book) -> Path:
    """Return the path of `locale/search.csv`."""
    return book.root / "locale" / "search.csv"


def load(book: Book) -> dict[Place, str]:
    """Return {place: words of all languages, separated by ";"}.

    Raises:
      BookError: the list cannot be read.
    """
    words: dict[Place, list[str]] = {}
    for _line, row in lists.rows(path(book), ["page", "section", "language", "words"]):
        words.setdefault((row["page"], row["section"]), []).append(row["words"])
    return {place: ";".join(texts) for place, texts in words.items()}


def refuse_unknown(book: Book, words: Mapping[Place, str], sections: Mapping[str, Collection[str]]) -> None:
    """Raise BookError if a place that `load` returned is not in `sections`, {page: ids of its sections}."""
    for page, section in words:
        values = {"file": path(book).name, "page": page, "section": repr(section)}
        if page not in sections:
            raise BookError(_("{file}: there is no page {page}"), **values)
        if section not in sections[page]:
            raise BookError(_("{file}: {page} has no section {section}"), **values)
