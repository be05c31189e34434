"""locale/search.csv: the words by which readers look for a section that says it in others."""

from ci import _
from ci.book import BookError
from ci.catalogues import lists


def path(book):
    return book.root / "locale" / "search.csv"


def load(book):
    """Returns {(page, id of the section, "" for the page itself): words of all languages, separated by ";"}.

    Raises:
      BookError: the list cannot be read.
    """
    found = {}
    for _line, row in lists.rows(path(book), ["page", "section", "language", "words"]):
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
