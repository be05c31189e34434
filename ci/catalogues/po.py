"""Read catalogues, and compile for Sphinx, which checks nothing, the translations that may be published."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import polib

from ci import _
from ci.book import Book, BookError
from ci.catalogues import structure
from ci.catalogues.structure import Fault, Gettext

LARGEST = 1024 * 1024  # bytes
COMPLETE = "X-Complete"  # a header; if its value is "yes", each message must be translated
CONTENT_TYPE = "text/plain; charset=UTF-8"  # Sphinx would decode by any other charset that is declared
LINE = re.compile(r'\s*(#.*|(msg\w+(\[\d+\])?\s+)?"(\\[\\"nt]|[^"\\])*"\s*)?')
CONFLICT = ("<<<<<<<", "=======", ">>>>>>>")
FLAGS = {"fuzzy", "no-wrap", "python-brace-format"}
NO_CATALOGUE = _("there is no such catalogue: run `./ci/book.sh update`")
NO_PAGE = _("no page belongs to this file: move it to where the page went, or delete it")
LIKE_A_FLAG = re.compile(r"#(?![:|~]).{0,5}fuz+y\s*$", re.IGNORECASE)
FLAG = re.compile(r"#, (.+)")


class Refused(BookError):
    """The error that a catalogue, or an entry of it, must not be published."""

    def __init__(self, path: Path, line: int, fault: Fault) -> None:
        self.path, self.line, self.fault = path, line, fault
        super().__init__(fault.sentence)

    def say(self, gettext: Gettext = str) -> str:
        """Return "path:line: sentence", with the sentence of the fault translated."""
        return f"{os.path.relpath(self.path)}:{self.line}: {self.fault.say(gettext)}"


def _refused(path: Path, line: int, sentence: str, /, **values: object) -> Refused:
    """Return a `Refused` for a fault of a file or of the form of an entry."""
    return Refused(path, line, Fault("file", sentence, values))


def _check_form(path: Path) -> None:
    """Raise `Refused` if a path is not a file, too large, not UTF-8, or has a line that programs read differently."""
    if not (path.exists() or path.is_symlink()):
        raise _refused(path, 1, NO_CATALOGUE)
    if path.is_symlink() or not path.is_file():
        raise _refused(path, 1, _("this is a symbolic link or a folder: put the file itself here"))
    if (size := path.stat().st_size) > LARGEST:
        raise _refused(path, 1, _("{size} bytes: a catalogue has {limit} at most"), size=size, limit=LARGEST)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise _refused(path, line, _("not UTF-8 ({reason}): save it as UTF-8"), reason=error.reason) from error
    if text.startswith("\ufeff"):
        raise _refused(path, 1, _("begins with a byte order mark: save it as UTF-8 without BOM"))
    for number, content in enumerate(text.split("\n"), start=1):
        for fault in _line_faults(content):
            raise Refused(path, number, fault)


def parse(path: Path) -> polib.POFile:
    """Parse a catalogue; raise Refused if it is invalid, ambiguous to programs, or has a context or plural forms."""
    _check_form(path)
    try:
        catalogue = polib.pofile(str(path), encoding="utf-8")
    except (OSError, ValueError) as error:
        place = re.search(r"line (\d+)", str(error))
        line = int(place[1]) if place else 1
        raise _refused(path, line, _("not a valid catalogue: {error}"), error=error) from error
    if catalogue.metadata.get("Content-Type") != CONTENT_TYPE:
        raise _refused(path, 1, _("the header Content-Type must be {value}"), value=CONTENT_TYPE)
    seen = set()
    for entry in catalogue:
        if (entry.msgid, entry.obsolete) in seen:
            raise _refused(path, entry.linenum, _("the same English occurs twice: keep one of the two entries"))
        seen.add((entry.msgid, entry.obsolete))
        if entry.msgctxt or entry.msgid_plural:
            raise _refused(path, entry.linenum, _("msgctxt and plural forms are not used in this book: remove them"))
    return catalogue


def is_complete(catalogue: polib.POFile) -> bool:
    """Return whether a catalogue is declared complete, so that each message must be translated."""
    return catalogue.metadata.get(COMPLETE) == "yes"


def _line_faults(line: str) -> Iterator[Fault]:
    """Yield a `Fault` for each reason why a line cannot be part of a catalogue."""
    if line.startswith(CONFLICT):
        yield Fault("file", _("this is a conflict marker of git: keep one of the two versions"))
    if "\0" in line:
        yield Fault("file", _("the line has a NUL character: save the file as plain text"))
    if not LINE.fullmatch(line):  # polib reads past missing quotes
        sentence = _("not a valid catalogue: look for a missing quote or an odd backslash in {line}")
        yield Fault("file", sentence, {"line": line[:80]})
    flags = FLAG.fullmatch(line)
    if LIKE_A_FLAG.match(line) and line != "#, fuzzy":
        yield Fault("file", _("{line} does not mark the entry as fuzzy: write `#, fuzzy`"), {"line": line})
    if flags and not FLAGS.issuperset(flags[1].split(", ")):
        yield Fault("file", _("the flag in {line} has no effect here: remove it"), {"line": line})


def load(path: Path) -> dict[str, str]:
    """Return {message: translation} of a catalogue, {} without one; raise Refused as `parse`, or for lost parts."""
    if not path.exists():
        return {}
    entries = parse(path).translated_entries()
    for entry in entries:
        for fault in structure.faults(entry.msgid, entry.msgstr):
            raise Refused(path, entry.linenum, fault)
    return {entry.msgid: entry.msgstr for entry in entries}


def strangers(book: Book) -> set[Path]:
    """Return the files under `locale` like catalogues (.po, .mo) that no page has: Sphinx would use them."""
    known = {path.with_suffix(suffix) for path in book.catalogues for suffix in (".po", ".mo")}
    files = {path for path in (book.root / "locale").rglob("*") if path.is_symlink() or path.suffix in (".po", ".mo")}
    return {path for path in files if path.is_symlink() or path not in known or not path.is_file()}


def _compile_catalogue(path: Path) -> None:
    """Write the .mo file of a catalogue, unless it has the same content already."""
    compiled = path.with_suffix(".mo")
    catalogue = polib.POFile()
    catalogue.metadata = {"Content-Type": CONTENT_TYPE}
    catalogue.extend(polib.POEntry(msgid=message, msgstr=text) for message, text in load(path).items())
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
    """Compile the catalogues of a language; raise Refused as `load`, or if no page has a file like a catalogue."""
    remove_stray_compiled(book)
    for path in sorted(strangers(book)):
        raise Refused(path, 1, Fault("file", NO_PAGE))
    for path in filter(Path.exists, (book.catalogue(name, language) for name in book.domains_in(language))):
        _compile_catalogue(path)
