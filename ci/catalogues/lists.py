"""Read the lists in locale/, CSV files in UTF-8, such as search.csv: words by which readers look for sections."""

import csv
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from ci import _
from ci.book import Book, BookError

Place = tuple[str, str]  # a page and the id of a section; "" for the page itself


def rows(path: Path, columns: list[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (line, {column: text}) for each row of a list, if there is one; raise BookError if it is malformed."""
    if not path.exists():
        return
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if reader.fieldnames != columns:
                sentence = _("{file}:1: the columns must be {columns}")
                raise BookError(sentence, file=path.name, columns=", ".join(columns))
            for row in reader:
                if None in row or None in row.values():
                    sentence = _("{file}:{line}: the row must have {count} columns: put text with commas in quotes")
                    raise BookError(sentence, file=path.name, line=reader.line_num, count=len(columns))
                yield reader.line_num, row
    except (UnicodeDecodeError, csv.Error) as error:
        raise BookError(_("{file}: not a CSV file in UTF-8: {error}"), file=path.name, error=error) from error


def search_path(book: Book) -> Path:
    """Return the path of `locale/search.csv`."""
    return book.root / "locale" / "search.csv"


def search_words(book: Book) -> dict[Place, str]:
    """Return {place: words of all languages, separated by ";"}; raise BookError if the list cannot be read."""
    words: dict[Place, list[str]] = {}
    for _line, row in rows(search_path(book), ["page", "section", "language", "words"]):
        words.setdefault((row["page"], row["section"]), []).append(row["words"])
    return {place: ";".join(texts) for place, texts in words.items()}


def refuse_unknown(book: Book, words: Mapping[Place, str], sections: Mapping[str, Collection[str]]) -> None:
    """Raise BookError if a place that `search_words` returned is not in `sections`, {page: ids of its sections}."""
    for page, section in words:
        values = {"file": search_path(book).name, "page": page, "section": repr(section)}
        if page not in sections:
            raise BookError(_("{file}: there is no page {page}"), **values)
        if section not in sections[page]:
            raise BookError(_("{file}: {page} has no section {section}"), **values)
