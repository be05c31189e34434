"""How far the translations are."""

import re
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from ci import _
from ci.catalogues import po
from ci.catalogues.sentences import say

LONGEST_NAME = 100  # characters
PERCENT = _("{percent} %")
HEADINGS = (
    _("page"),
    _("language"),
    _("translated"),
    _("not translated"),
    _("English changed"),
    _("entries"),
    _("complete"),
)


@dataclass
class Progress:
    """How far one page is in one language.

    Attributes:
      translated, fuzzy, total: entries; fuzzy ones, whose English has changed, are not among the translated.
      complete: whether it is declared to be, so that nothing may be missing.
      translator, reviewer, date: of the last change, as the catalogue names them; "" if it does not.
    """

    page: str
    language: str
    translated: int
    fuzzy: int
    total: int
    complete: bool
    translator: str
    reviewer: str
    date: str

    @property
    def untranslated(self):
        """How many entries nobody has begun."""
        return self.total - self.translated - self.fuzzy

    @property
    def percent(self):
        """Rounded down, so that 100 means all."""
        return 100 * self.translated // self.total if self.total else 0


def person(header):
    """The name in "Name <address>", since addresses are not for publishing; "" if there is none."""
    name = "".join(filter(str.isprintable, (header or "").partition("<")[0])).strip()
    return "" if "@" in name else name[:LONGEST_NAME]


def date(header):
    """The day in "2026-11-21 12:00+0900"; "" if there is none."""
    found = re.match(r"\d{4}-\d{2}-\d{2}(?!\d)", header or "")
    return found[0] if found else ""


def page_progress(book, page, language):
    """Returns the `Progress` of a page; a page without catalogue has none of 0 entries.

    Raises:
      Refused: the catalogue cannot be read.
    """
    path = book.catalogue(page, language)
    if not path.exists():
        return Progress(page, language, 0, 0, 0, False, "", "", "")
    catalogue = po.parse(path)
    entries = [entry for entry in catalogue if not entry.obsolete]
    headers = catalogue.metadata
    return Progress(
        page,
        language,
        translated=sum(entry.translated() for entry in entries),
        fuzzy=sum(entry.fuzzy for entry in entries),
        total=len(entries),
        complete=po.is_complete(catalogue),
        translator=person(headers.get("Last-Translator")),
        reviewer=person(headers.get("X-Reviewer")),
        date=date(headers.get("PO-Revision-Date")),
    )


def all_progress(book, names):
    """Returns a `Progress` for each of some pages and each language of the translations."""
    return [page_progress(book, name, language) for name in names for language in book.translations]


def table(book):
    """A table of the progress of all pages and of what the commands say, for a terminal."""
    shown = Table(*map(say, HEADINGS))
    for progress in all_progress(book, book.domains):
        percent, complete = say(PERCENT, percent=progress.percent), say(_("yes")) if progress.complete else ""
        counts = map(str, (progress.untranslated, progress.fuzzy, progress.total))
        shown.add_row(progress.page, progress.language, percent, *counts, complete)
    return shown


def show(book):
    """Prints that table."""
    Console().print(table(book))
