"""What terms mean, locale/definitions.csv, and where a text uses them."""

import re
from dataclasses import dataclass

from ci.book import languages
from ci.catalogues import glossary, lists
from ci.catalogues.parts import parts

COLUMNS = ["english", "language", "definition", "but not in"]
HIDDEN = "\0"


def rows(book):
    """Yields the rows of the list.

    Raises:
      BookError: the list cannot be read.
    """
    for _line, row in lists.rows(book.root / "locale" / "definitions.csv", COLUMNS):
        yield row


def texts(book, language):
    """Returns {the first English form of a term: what it means}, in a language."""
    return {row["english"]: row["definition"] for row in rows(book) if row["language"] == language}


@dataclass(frozen=True)
class Definition:
    """What a term means, for readers of one language.

    Attributes:
      term: its first English form.
      own, text: the term and its definition, in the language of the readers.
      others: {language: the term in it}, for the other languages of the book.
    """

    term: str
    own: str
    text: str
    others: dict


def names_of(english, known):
    """Returns {language: how a term is said in it}, given {language: its terms}."""
    return {code: term.forms[0] for code, terms in known.items() for term in terms if term.english[0] == english}


class Definitions:
    """The definitions in one language of a book, found in what a page says.

    Attributes:
      rest: matches what is written together with a noun, after it.
    """

    def __init__(self, book, language):
        self.is_source = language == book.source_language
        known = {code: glossary.load(book, code).terms for code in book.translations}
        looked_for = known if self.is_source else {language: known[language]}
        self.glossary = glossary.Glossary([term for terms in looked_for.values() for term in terms])
        own = languages.module(language, "words")
        self.begin, self.end = (
            (r"\b", rf"{glossary.PLURAL}\b") if self.is_source else (own.NOUN_BEGINS if own else "", "")
        )
        self.rest = re.compile(own.REST_OF_WORD if own else "")
        self.of = {}
        for english, text in texts(book, language).items():
            names = {book.source_language: english, **names_of(english, known)}
            if own := names.pop(language, None):
                self.of[english] = Definition(english, own, text, names)
        phrases = {phrase.strip() for row in rows(book) for phrase in row["but not in"].split(";")} - {""}
        self.otherwise = re.compile("|".join(map(re.escape, sorted(phrases))) or "(?!)", re.IGNORECASE)

    @property
    def state(self):
        """All that decides which terms are found, and what is said of them."""
        return repr((self.of, self.otherwise.pattern, self.glossary.terms))

    def hide(self, text):
        """A text of the same length, without the phrases in which a word is no term."""
        return self.otherwise.sub(lambda phrase: HIDDEN * len(phrase[0]), text)

    def uses(self, message, text):
        """Finds the terms of a message in its translation, or in itself; a longer term hides those within it.

        Yields:
          (start, end, `Definition`) of each term that is defined and stands in the text.
        """
        found = self.glossary.found(self.hide(parts(message).prose))
        forms = {form.lower(): term for term in found for form in (term.english if self.is_source else term.forms)}
        if not forms:
            return
        longest = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
        for match in re.finditer(f"{self.begin}({longest}){self.end}", self.hide(text), re.IGNORECASE):
            if definition := self.of.get(forms[match[1].lower()].english[0]):
                yield *match.span(), definition
