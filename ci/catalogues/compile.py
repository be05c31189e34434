"""Compile catalogues for Sphinx from what `ci.catalogues.po` lets through.

Sphinx would compile the catalogues itself without any check; `ci.site.extension.pages.bilingual` prevents that.
"""

import hashlib
import json
from pathlib import Path

import polib

from ci.book import Book, files, markdown
from ci.catalogues import parts, po, structure
from ci.catalogues.fault import Fault


def _state(path: Path) -> str:
    """Return a digest of a catalogue, what it was compiled to, and the code that decides what may be published."""
    judges = [Path(module.__file__) for module in (po, structure, parts, markdown) if module.__file__]
    known = filter(Path.exists, [*judges, path, path.with_suffix(".mo")])
    return hashlib.sha256(b"".join(map(Path.read_bytes, known))).hexdigest()


def _read_states(note: Path) -> dict[str, str]:
    """Return {catalogue: its state when it was compiled}, as far as the note can be read."""
    try:
        return json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _compile_catalogue(path: Path) -> None:
    """Write the compiled form of a catalogue, unless the file has this content already."""
    compiled = path.with_suffix(".mo")
    catalogue = polib.POFile()
    catalogue.metadata = {"Content-Type": po.CONTENT_TYPE}
    catalogue.extend(polib.POEntry(msgid=message, msgstr=text) for message, text in po.load(path).items())
    content = catalogue.to_binary()
    if not compiled.exists() or compiled.read_bytes() != content:
        compiled.write_bytes(content)


def remove_stray_compiled(book: Book) -> None:
    """Remove compiled catalogues without a catalogue: git does not list them, and Sphinx would use them."""
    catalogues = (book.catalogue(name, language) for name in book.domains for language in book.translations)
    kept = {path.with_suffix(".mo") for path in catalogues if path.is_file()}
    for path in set((book.root / "locale").rglob("*.mo")) - kept:
        if path.is_symlink() or path.is_file():
            path.unlink(missing_ok=True)


def compile_all(book: Book, language: str) -> None:
    """Compile the catalogues of a language that have changed; the source language has no catalogues.

    Raises:
      Refused: as for `ci.catalogues.po.load`; or a file looks like a catalogue and belongs to no page.
    """
    remove_stray_compiled(book)
    for path in sorted(po.strangers(book)):
        raise po.Refused(path, 1, Fault("file", po.NO_PAGE))
    if language not in book.translations:
        return
    note = book.built("compiled", f"{language}.json")
    known, compiled = _read_states(note), {}
    for path in filter(Path.exists, (book.catalogue(name, language) for name in book.domains)):
        name = book.relative(path)
        if known.get(name) != _state(path):
            _compile_catalogue(path)
        compiled[name] = _state(path)
    files.write(note, json.dumps(compiled, indent=1))
