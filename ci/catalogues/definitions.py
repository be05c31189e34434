"""Read the definitions of terms, locale/definitions.csv, and find the defined terms in a text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ci.book import Book, languages
from ci.catalogues import glossary, lists
from ci.catalogues.parts import parts

COLUMNS = ["english", "language", "definition", "but not in"]
HIDDEN = "\0"


def _rows(book: Book) -> list[dict[str, str]]:
    return [row for _line, row in lists.rows(book.root / "locale" / "definitions.csv", COLUMNS)]


def texts(book: Book, language: str) -> dict[str, str]:
    """Return {first English form of a term: its definition} in a language."""
    return {row["english"]: row["definition"] for row in _rows(book) if row["language"] == language}


@dataclass(frozen=True)
class Definition:
    """The definition of a term for readers of one language."""

    term: str  # its first English form
    own: str  # the term in the language of the readers
    text: str  # the definition in that language
    others: dict[str, str]  # {other language of the book: the term in it}


class Definitions:
    """The definitions in one language of a book; `uses` finds their terms in the text of a page.

    Attributes:
      of: {first English form of a term: `Definition`}.
      rest: pattern of what may follow a term within a word, such as a Korean particle.
    """

    def __init__(self, book: Book, language: str) -> None:
        self.is_source = language == book.source_language
        known = {code: glossary.load(book, code).terms for code in book.translations}
        searched = known if self.is_source else {language: known[language]}
        self.glossary = glossary.Glossary([term for terms in searched.values() for term in terms])
        words = languages.module(language, "words")
        if self.is_source:
            self.begin, self.end = r"\b", rf"{glossary.PLURAL}\b"
        else:
            self.begin, self.end = words.NOUN_BEGINS if words else "", ""
        self.rest = re.compile(words.REST_OF_WORD if words else "")
        self.of = {}
        for english, text in texts(book, language).items():
            names = {code: term.forms[0] for code in known for term in known[code] if term.english[0] == english}
            names = {book.source_language: english} | names
            if own := names.pop(language, None):
                self.of[english] = Definition(english, own, text, names)
        phrases = {phrase.strip() for row in _rows(book) for phrase in row["but not in"].split(";")} - {""}
        self.other_meaning = re.compile("|".join(map(re.escape, sorted(phrases))) or "(?!)", re.IGNORECASE)

    def _hide(self, text: str) -> str:
        """Replace each character of phrases in which a word is not a term by `HIDDEN`; positions stay the same."""
        return self.other_meaning.sub(lambda phrase: HIDDEN * len(phrase[0]), text)

    def uses(self, message: str, text: str) -> Iterator[tuple[int, int, Definition]]:
        """Find the defined terms of a message in `text`: its translation or, for the source language, the message.

        Where terms overlap, only the longest is found.

        Yields:
          (start, end, `Definition`) for each use in the text.
        """
        terms = self.glossary.found(self._hide(parts(message).prose))
        forms = {form.lower(): term for term in terms for form in (term.english if self.is_source else term.forms)}
        if not forms:
            return
        longest_first = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
        for match in re.finditer(f"{self.begin}({longest_first}){self.end}", self._hide(text), re.IGNORECASE):
            if definition := self.of.get(forms[match[1].lower()].english[0]):
                yield *match.span(), definition
