"""Bring what is translated up to date: catalogues with the English, notebooks with the catalogues."""

from collections.abc import Iterable, Sequence

from ci.book import Book, Sentence
from ci.catalogues import messages
from ci.catalogues.new import add, new_name, next_steps
from ci.catalogues.update import needs_gettext, update_all
from ci.notebooks import leftovers, make


def update(book: Book, languages: Sequence[str]) -> None:
    """Update the catalogues and notebooks of some languages."""
    leftovers.refuse(book)
    messages.extract(book)
    update_all(book, languages)
    make.write_translated(book)


def begin(book: Book, language: str) -> Iterable[Sentence]:
    """Add a language, such as "ja"; return the sentences that say what to do next."""
    needs_gettext()
    name = new_name(book, language)
    leftovers.refuse(book)
    messages.extract(book)
    book = add(book, language, name)
    update(book, [language])
    return next_steps(book, language)
