"""Update the files that are generated from the chapters and the catalogues, after checking the sources."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from ci import _
from ci.book import Book, Sentence, display
from ci.catalogues import messages
from ci.catalogues.update import add, needs_gettext, new_name, next_steps, update_all
from ci.execution import run
from ci.notebooks import faults, leftovers, make
from ci.notebooks.pairing import bring_together


def refresh(book: Book, take: Iterable[str | Path] = ()) -> None:
    """Synchronise chapters and notebooks, execute the changed chapters, and write the notebooks of all languages.

    A fault in the text of a chapter is raised before anything is executed; a fault that only the outputs show, after
    all notebooks are written. For `take` see `bring_together`.
    """
    with display.stage(_("reading the chapters")):
        leftovers.refuse(book)
        faults.refuse_headers(book)
        bring_together(book, take)
        faults.refuse(faults.in_sources(book), faults.BEFORE)
    run.execute(book)
    make.write_all(book)
    with display.stage(_("reading the outputs")):
        faults.refuse(faults.in_outputs(book), faults.AFTER)


def check(book: Book) -> None:
    """Raise BookError if `refresh` would find a fault, or write a notebook."""
    leftovers.refuse(book)
    faults.refuse(faults.in_sources(book), faults.BEFORE)
    make.check(book)
    faults.refuse(faults.in_outputs(book), faults.AFTER)


def update_translations(book: Book, languages: Sequence[str]) -> None:
    """Update the catalogues and notebooks of some languages."""
    leftovers.refuse(book, but=leftovers.is_catalogue)
    messages.extract(book)
    update_all(book, languages)
    make.write_translated(book)


def begin_language(book: Book, language: str) -> Iterable[Sentence]:
    """Add a language, such as "ja"; return the sentences that say what to do next."""
    needs_gettext()
    name = new_name(book, language)
    leftovers.refuse(book)
    messages.extract(book)
    book = add(book, language, name)
    update_translations(book, [language])
    return next_steps(book, language)
