"""Compiles catalogues for Sphinx from what `ci.catalogues.po` lets through.

Sphinx would compile by itself, and unread; `ci.site.extension.pages.bilingual` keeps it from that.
"""

import hashlib
import json
from pathlib import Path

import polib

from ci.book import files, markdown
from ci.catalogues import parts, po, structure
from ci.catalogues.fault import Fault


def state(book, language):
    """Where is noted which catalogues were compiled into what, so that unchanged ones need not be read again."""
    return book.built("compiled", f"{language}.json")


def noted(path):
    """What is noted in a file, as far as it can be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def digest(*paths):
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths if path.exists())).hexdigest()


def judges():
    """A digest of the code that decides what may be published."""
    return digest(*(Path(module.__file__) for module in (po, structure, parts, markdown)))


def compile_catalogue(path):
    """Writes the compiled catalogue of a catalogue; leaves one that says the same.

    Raises:
      Refused: as for `ci.catalogues.po.load`.
    """
    compiled = path.with_suffix(".mo")
    catalogue = polib.POFile()
    catalogue.metadata = {"Content-Type": po.CONTENT_TYPE}
    catalogue.extend(polib.POEntry(msgid=message, msgstr=text) for message, text in po.load(path).items())
    content = catalogue.to_binary()
    if not compiled.exists() or compiled.read_bytes() != content:
        compiled.write_bytes(content)


def forget_strays(book):
    """Removes compiled catalogues without a catalogue: git does not list them, and Sphinx would use them."""
    catalogues = (book.catalogue(name, language) for name in book.domains for language in book.translations)
    kept = {path.with_suffix(".mo") for path in catalogues if path.is_file()}
    for path in set((book.root / "locale").rglob("*.mo")) - kept:
        if path.is_symlink() or path.is_file():
            path.unlink(missing_ok=True)


def compile_all(book, language):
    """Compiles the catalogues of a language; the source language has none.

    Raises:
      Refused: as for `ci.catalogues.po.load`; or there is a file that is the catalogue of no page.
    """
    forget_strays(book)
    for path in sorted(po.strangers(book)):
        raise po.Refused(path, 1, Fault("file", po.NO_PAGE))
    if language not in book.translations:
        return
    note, judge = state(book, language), judges()
    known = noted(note)
    compiled = {}
    for path in filter(Path.exists, (book.catalogue(name, language) for name in book.domains)):
        name = book.relative(path)
        if known.get(name) != judge + digest(path, path.with_suffix(".mo")):
            compile_catalogue(path)
        compiled[name] = judge + digest(path, path.with_suffix(".mo"))
    files.write(note, json.dumps(compiled, indent=1))
