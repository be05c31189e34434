"""Compile catalogues to .mo files for Sphinx, with the translations that `ci.catalogues.po.load` returns.

Sphinx would compile the catalogues itself without any check; `ci.site.extension.pages.bilingual` prevents that.
"""

from pathlib import Path

import polib

from ci.book import Book
from ci.catalogues import po
from ci.catalogues.fault import Fault


def _compile_catalogue(path: Path) -> None:
    """Write the .mo file of a catalogue, unless it has the same content already."""
    compiled = path.with_suffix(".mo")
    catalogue = polib.POFile()
    catalogue.metadata = {"Content-Type": po.CONTENT_TYPE}
    catalogue.extend(polib.POEntry(msgid=message, msgstr=text) for message, text in po.load(path).items())
    content = catalogue.to_binary()
    if not compiled.exists() or compiled.read_bytes() != content:
        compiled.write_bytes(content)


def remove_stray_compiled(book: Book) -> None:
    """Delete .mo files that have no catalogue: git does not list them, and Sphinx would use them."""
    kept = {path.with_suffix(".mo") for path in book.catalogues if path.is_file()}
    for path in set((book.root / "locale").rglob("*.mo")) - kept:
        if path.is_symlink() or path.is_file():
            path.unlink(missing_ok=True)


def compile_all(book: Book, language: str) -> None:
    """Compile the catalogues of a language.

    Raises:
      Refused: as for `ci.catalogues.po.load`; or a file looks like a catalogue, and no page has it.
    """
    remove_stray_compiled(book)
    for path in sorted(po.strangers(book)):
        raise po.Refused(path, 1, Fault("file", po.NO_PAGE))
    for path in filter(Path.exists, (book.catalogue(name, language) for name in book.domains_in(language))):
        _compile_catalogue(path)
