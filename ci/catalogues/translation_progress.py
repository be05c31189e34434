"""How much of each page is translated."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import polib
from rich.console import Console
from rich.table import Table

from ci import _
from ci.book import Book
from ci.catalogues import po
from ci.catalogues.sentences import say

LONGEST_NAME = 100  # characters
PERCENT = _("{percent} %")
HEADINGS = (
    *(_("page"), _("language"), _("translated"), _("not translated")),
    *(_("English changed"), _("entries"), _("complete")),
)


@dataclass
class Progress:
    """How much of a page is translated into a language."""

    page: str
    language: str
    translated: int = 0
    fuzzy: int = 0  # entries whose English has changed; they do not count as translated
    total: int = 0
    complete: bool = False  # whether the catalogue is declared complete
    translator: str = ""  # who made the last change, as the catalogue says
    reviewer: str = ""  # who has read the translation
    date: str = ""  # of the last change

    @property
    def untranslated(self) -> int:
        """The number of entries without any translation."""
        return self.total - self.translated - self.fuzzy

    @property
    def percent(self) -> int:
        """The share of translated entries, rounded down so that 100 means all of them."""
        return 100 * self.translated // self.total if self.total else 0


def person(header: str | None) -> str:
    """Return the name of a header "Name <address>", since addresses are not published; "" if it has no name."""
    name = "".join(filter(str.isprintable, (header or "").partition("<")[0])).strip()
    return "" if "@" in name else name[:LONGEST_NAME]


def date(header: str | None) -> str:
    """Return the date of a header such as "2026-11-21 12:00+0900"; "" if it has no date."""
    day = re.match(r"\d{4}-\d{2}-\d{2}(?!\d)", header or "")
    return day[0] if day else ""


def page_progress(book: Book, page: str, language: str) -> Progress:
    """Return the `Progress` of a page, of 0 entries without a catalogue; raise Refused if that cannot be read."""
    path = book.catalogue(page, language)
    catalogue = po.parse(path) if path.exists() else polib.POFile()
    headers = catalogue.metadata
    return Progress(
        page,
        language,
        translated=len(catalogue.translated_entries()),
        fuzzy=len(catalogue.fuzzy_entries()),
        total=len(catalogue) - len(catalogue.obsolete_entries()),
        complete=po.is_complete(catalogue),
        translator=person(headers.get("Last-Translator")),
        reviewer=person(headers.get("X-Reviewer")),
        date=date(headers.get("PO-Revision-Date")),
    )


def all_progress(book: Book, pages: Sequence[str]) -> list[Progress]:
    """Return a `Progress` for each of the given pages in each language in which it has a catalogue."""
    names = {language: book.domains_in(language) for language in book.languages}
    return [page_progress(book, page, code) for page in pages for code, own in names.items() if page in own]


def show(book: Book) -> None:
    """Print a table of the progress of all pages and of the messages of the commands."""
    table = Table(*map(say, HEADINGS))
    for progress in all_progress(book, book.domains):
        percent, complete = say(PERCENT, percent=progress.percent), say(_("yes")) if progress.complete else ""
        counts = map(str, (progress.untranslated, progress.fuzzy, progress.total))
        table.add_row(progress.page, progress.language, percent, *counts, complete)
    Console().print(table)
