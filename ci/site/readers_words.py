"""locale/search.csv: the words by which readers look for a section that says it in others."""

import csv

from ci import _
from ci.book import BookError

COLUMNS = ["page", "section", "language", "words"]


def path(book):
    return book.root / "locale" / "search.csv"


def load(book):
    """Returns {(page, id of the section, "" for the page itself): words of all languages, separated by ";"}.

    Raises:
      BookError: the list cannot be read.
    """
    if not path(book).exists():
        return {}
    found = {}
    with path(book).open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != COLUMNS:
            sentence = _("{file}:1: the columns must be {columns}")
            raise BookError(sentence, file=path(book).name, columns=", ".join(COLUMNS))
        for row in reader:
            if None in row or None in row.values():
                sentence = _("{file}:{line}: not {count} columns: put a text with commas in quotes")
                raise BookError(sentence, file=path(book).name, line=reader.line_num, count=len(COLUMNS))
            found.setdefault((row["page"], row["section"]), []).append(row["words"])
    return {place: ";".join(words) for place, words in found.items()}


def refuse_unknown(book, words, sections):
    """Raises BookError if a place of `load` is not among these: {page: [id of a section, ...]}."""
    for page, section in words:
        values = {"file": path(book).name, "page": page, "section": repr(section)}
        if page not in sections:
            raise BookError(_("{file}: there is no page {page}"), **values)
        if section not in sections[page]:
            raise BookError(_("{file}: {page} has no section {section}"), **values)
