"""Bring catalogues up to date with the messages of the pages, and create those that are missing."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import polib

from ci import _
from ci.book import Book, BookError, display
from ci.catalogues import messages, po
from ci.catalogues.sentences import say

MERGE = ["--update", "--previous", "--no-wrap", "--backup=none", "--quiet"]


def _create(book: Book, path: Path, language: str) -> None:
    """Write a catalogue that has headers and no entries."""
    catalogue = polib.POFile()
    catalogue.metadata = {
        "Project-Id-Version": book.name,
        "PO-Revision-Date": "",
        "Language": language,
        "Last-Translator": "",
        "X-Reviewer": "",
        "MIME-Version": "1.0",
        "Content-Type": po.CONTENT_TYPE,
        "Content-Transfer-Encoding": "8bit",
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    catalogue.save(str(path))


def update(book: Book, name: str, language: str) -> None:
    """Merge the messages of a page into its catalogue, which is created if it is missing.

    Entries whose English has changed become fuzzy and keep the old English.

    Raises:
      Refused: the catalogue cannot be read; it is not changed.
    """
    template = messages.folder(book) / f"{name}.pot"
    extracted = polib.pofile(str(template))
    extracted.metadata.pop("POT-Creation-Date", None)  # a date that changes with each run is noise in a diff
    extracted.save(str(template))
    path = book.catalogue(name, language)
    if is_new := not path.exists():
        _create(book, path, language)
    po.parse(path)
    subprocess.run(["msgmerge", *MERGE, path, template], check=True)
    subprocess.run(["msgattrib", "--no-obsolete", "--no-wrap", "--output", path, path], check=True)
    merged, shown = po.parse(path), book.relative(path)
    if is_new:
        print(say(_("written: {path}: {count} entries to translate"), path=shown, count=len(merged)))
    if fuzzy := len(merged.fuzzy_entries()):
        print(say(_("{path}: entries whose English has changed: {count}"), path=shown, count=fuzzy))


def needs_gettext() -> None:
    """Raise BookError if msgmerge is not installed."""
    if not shutil.which("msgmerge"):
        raise BookError(
            _("msgmerge is needed to update catalogues (Debian: `apt install gettext`; macOS: `brew install gettext`)")
        )


def update_all(book: Book, languages: Sequence[str]) -> None:
    """Bring the catalogues of some languages up to date."""
    needs_gettext()
    catalogues = [(name, language) for language in languages for name in book.domains_in(language)]
    with display.stage(_("merging"), len(catalogues)) as advance:
        for name, language in catalogues:
            update(book, name, language)
            advance()
