"""Bring all that is made of the chapters up to date, and say what is wrong with them as early as it is known."""

from collections.abc import Iterable
from pathlib import Path

from ci import _
from ci.book import Book, waiting
from ci.execution import run
from ci.notebooks import faults, leftovers, make
from ci.notebooks.pairing import bring_together


def refresh(book: Book, take: Iterable[str | Path] = ()) -> None:
    """Take over what was edited, execute what has changed, write the notebooks of all languages.

    A fault of the text stops everything before anything is executed; a fault that only the outputs show is reported
    when everything is written.

    Args:
      take: Files that count where both of a pair were edited.
    """
    with waiting.stage(_("reading the chapters")):
        leftovers.refuse(book)
        faults.refuse_headers(book)
        bring_together(book, take)
        faults.refuse(faults.in_sources(book), faults.BEFORE)
    run.execute(book)
    make.write_all(book)
    with waiting.stage(_("reading the outputs")):
        faults.refuse(faults.in_outputs(book), faults.AFTER)
