"""The glossary, locale/glossary.csv: how English terms are translated, and how they must not be."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ci import _
from ci.book import Book, BookError
from ci.catalogues import lists

COLUMNS = ["english", "language", "term", "avoid", "note"]
PLURAL = r"(?:e?s)?"


@dataclass(frozen=True)
class Term:
    """A row of the glossary."""

    english: tuple[str, ...]  # the forms of the term in English text; the first names the term
    forms: tuple[str, ...]  # the accepted translations; the first is shown to readers
    avoid: tuple[str, ...]  # translations that are wrong
    note: str  # for translators, in their language


@dataclass(frozen=True)
class Glossary:
    """The English terms and their accepted translations into one language."""

    terms: Sequence[Term]
    folder: Path = Path()  # of the further lists of the language, such as those of its rules

    @cached_property
    def by_english(self) -> dict[str, Term]:
        """{English form in lower case: its `Term`}."""
        return {form.lower(): term for term in self.terms for form in term.english}

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern of any term in English text, longer terms first."""
        longest_first = sorted(self.by_english, key=len, reverse=True)
        return re.compile(rf"\b({'|'.join(map(re.escape, longest_first))}){PLURAL}\b", re.IGNORECASE)

    def found(self, english: str) -> list[Term]:
        """Return the terms that occur in an English text, each once; where terms overlap, only the longest counts."""
        if not self.terms:
            return []
        matches = (match[1].lower() for match in self.pattern.finditer(english))
        return list(dict.fromkeys(self.by_english[form] for form in matches))


def terms(path: Path) -> Iterator[tuple[str, Term]]:
    """Yield (language, term) for each row of the glossary.

    Raises:
      BookError: the list cannot be read, or a row lacks the English or the translation, or repeats an English form.
    """
    seen = set()
    for line, row in lists.rows(path, COLUMNS):
        cells = {name: tuple(part.strip() for part in row[name].split(";") if part.strip()) for name in COLUMNS}
        if not (cells["english"] and cells["term"]):
            sentence = _("{file}:{line}: the English or the translation is missing")
            raise BookError(sentence, file=path.name, line=line)
        for form in cells["english"]:
            if (key := (row["language"], form.lower())) in seen:
                sentence, language = _("{file}:{line}: {form} occurs twice for {language}"), repr(row["language"])
                raise BookError(sentence, file=path.name, line=line, form=repr(form), language=language)
            seen.add(key)
        yield row["language"], Term(cells["english"], cells["term"], cells["avoid"], row["note"].strip())


def path(book: Book) -> Path:
    """Return the path of the glossary."""
    return book.root / "locale" / "glossary.csv"


def load(book: Book, language: str) -> Glossary:
    """Return the `Glossary` of a language; it is empty if no row has this language."""
    own = [term for code, term in terms(path(book)) if code == language]
    return Glossary(own, book.root / "locale" / language)
