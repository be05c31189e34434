"""Brings all that is made of the chapters up to date, and says what is wrong with them as early as it is known."""

from ci import _
from ci.book import waiting
from ci.execution import run
from ci.notebooks import faults, leftovers, make
from ci.notebooks.pairing import bring_together


def refresh(book, take=()):
    """Takes over what was edited, executes what has changed, writes the notebooks of all languages.

    Args:
      take: as for `bring_together`.

    Raises:
      BookError: a chapter has a fault. One of its text stops all before anything is executed; one that only its
        outputs show is said when all is written.
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
