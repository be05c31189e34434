"""The glossary, locale/glossary.csv: how English terms are said in each language, and how they are not."""

import re
from dataclasses import dataclass
from functools import cached_property

from ci import _
from ci.book import BookError
from ci.catalogues import lists

COLUMNS = ["english", "language", "term", "avoid", "note"]
PLURAL = r"(?:e?s)?"


@dataclass(frozen=True)
class Term:
    """A row of the list.

    Attributes:
      english: the forms in which the term stands in English text; the first names it.
      forms: the accepted translations; the first is shown in the glossary.
      avoid: forms it must not be translated with.
      note: for translators, in their language.
    """

    english: tuple
    forms: tuple
    avoid: tuple
    note: str


class Glossary:
    """The terms of one language."""

    def __init__(self, terms):
        self.terms = terms
        self.by_english = {form.lower(): term for term in terms for form in term.english}

    @cached_property
    def pattern(self):
        longest_first = sorted(self.by_english, key=len, reverse=True)
        return re.compile(rf"\b({'|'.join(map(re.escape, longest_first))}){PLURAL}\b", re.IGNORECASE)

    def found(self, english):
        """Returns the terms that stand in an English text, each once; a longer term hides those within it."""
        if not self.terms:
            return []
        matches = (match[1].lower() for match in self.pattern.finditer(english))
        return list(dict.fromkeys(self.by_english[form] for form in matches))


def terms(path):
    """Reads the list.

    Yields:
      (language, `Term`).

    Raises:
      BookError: a row that cannot be right, with its line.
    """
    seen = set()
    for line, row in lists.rows(path, COLUMNS):
        cells = {name: tuple(part.strip() for part in row[name].split(";") if part.strip()) for name in COLUMNS}
        if not (cells["english"] and cells["term"]):
            sentence = _("{file}:{line}: the English or the translation is missing")
            raise BookError(sentence, file=path.name, line=line)
        for form in cells["english"]:
            if (key := (row["language"], form.lower())) in seen:
                values = {"form": repr(form), "language": repr(row["language"])}
                raise BookError(
                    _("{file}:{line}: {form} is there twice for {language}"), file=path.name, line=line, **values
                )
            seen.add(key)
        yield row["language"], Term(cells["english"], cells["term"], cells["avoid"], row["note"].strip())


def path(book):
    return book.root / "locale" / "glossary.csv"


def load(book, language):
    """Returns the `Glossary` of a language; empty if the list has nothing for it."""
    return Glossary([term for code, term in terms(path(book)) if code == language])
