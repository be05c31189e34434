"""The glossary, locale/glossary.csv: how English terms are translated and how not; and their definitions."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ci import _
from ci.book import Book, BookError, languages
from ci.catalogues import lists
from ci.catalogues.parts import parts

COLUMNS = ["english", "language", "term", "avoid", "note"]
DEFINED = ["english", "language", "definition", "but not in"]  # columns of the definitions
HIDDEN = "\0"
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
    """Yield (language, term) for each row; raise BookError if it lacks a word or repeats an English form."""
    seen = set()
    for line, row in lists.rows(path, COLUMNS):
        cells = {name: tuple(part.strip() for part in row[name].split(";") if part.strip()) for name in COLUMNS}
        place = {"file": path.name, "line": line}
        if not (cells["english"] and cells["term"]):
            raise BookError(_("{file}:{line}: the English or the translation is missing"), **place)
        for form in cells["english"]:
            if (key := (row["language"], form.lower())) in seen:
                values = {"form": repr(form), "language": repr(row["language"])}
                raise BookError(_("{file}:{line}: {form} occurs twice for {language}"), **place, **values)
            seen.add(key)
        yield row["language"], Term(cells["english"], cells["term"], cells["avoid"], row["note"].strip())


def path(book: Book) -> Path:
    """Return the path of the glossary."""
    return book.root / "locale" / "glossary.csv"


def load(book: Book, language: str) -> Glossary:
    """Return the `Glossary` of a language; it is empty if no row has this language."""
    own = [term for code, term in terms(path(book)) if code == language]
    return Glossary(own, book.root / "locale" / language)


def _rows(book: Book) -> list[dict[str, str]]:
    return [row for _line, row in lists.rows(book.root / "locale" / "definitions.csv", DEFINED)]


def definitions(book: Book, language: str) -> dict[str, str]:
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
    """The definitions in one language of a book; `uses` finds their terms in the text of a page."""

    def __init__(self, book: Book, language: str) -> None:
        self.is_source = language == book.source_language
        known = {code: load(book, code).terms for code in book.translations}
        searched = known if self.is_source else {language: known[language]}
        self.glossary = Glossary([term for terms in searched.values() for term in terms])
        words = languages.module(language, "words")
        if self.is_source:
            self.begin, self.end = r"\b", rf"{PLURAL}\b"
        else:
            self.begin, self.end = words.NOUN_BEGINS if words else "", ""
        self.rest = re.compile(words.REST_OF_WORD if words else "")  # such as a Korean particle
        self.of = {}  # {first English form of a term: `Definition`}
        for english, text in definitions(book, language).items():
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
        """Yield (start, end, `Definition`) for each longest term of a message in `text`, its translation or itself."""
        terms = self.glossary.found(self._hide(parts(message).prose))
        forms = {form.lower(): term for term in terms for form in (term.english if self.is_source else term.forms)}
        if not forms:
            return
        longest_first = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
        for match in re.finditer(f"{self.begin}({longest_first}){self.end}", self._hide(text), re.IGNORECASE):
            if definition := self.of.get(forms[match[1].lower()].english[0]):
                yield *match.span(), definition
