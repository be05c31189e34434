"""Reads catalogues. What comes from here may be published: it is text, made of the parts of its message."""

import os
import re

import polib

from ci import _
from ci.book import BookError
from ci.catalogues import structure
from ci.catalogues.fault import Fault

LARGEST = 1024 * 1024  # bytes
COMPLETE = "X-Complete"  # a header; where it says "yes", everything must be translated
CONTENT_TYPE = "text/plain; charset=UTF-8"  # Sphinx would decode by another one
LINE = re.compile(r'\s*(#.*|(msg\w+(\[\d+\])?\s+)?"(\\[\\"nt]|[^"\\])*"\s*)?')
CONFLICT = ("<<<<<<<", "=======", ">>>>>>>")
FLAGS = {"fuzzy", "no-wrap", "python-brace-format"}
NO_CATALOGUE = _("there is no such catalogue: run `./ci/book.sh update`")
NO_PAGE = _("there is no such page: move the file where the page went, or take it away")
LIKE_A_FLAG = re.compile(r"#(?![:|~]).{0,5}fuz+y\s*$", re.IGNORECASE)
FLAG = re.compile(r"#, (.+)")


class Refused(BookError):
    """A catalogue, or an entry of one, that must not be published."""

    def __init__(self, path, line, fault):
        self.path, self.line, self.fault = path, line, fault
        super().__init__(fault.sentence)

    def say(self, gettext=str):
        """As `Fault.say`, with the place before it."""
        return f"{os.path.relpath(self.path)}:{self.line}: {self.fault.say(gettext)}"


def parse(path):
    """Reads a catalogue with all its entries, as a `polib.POFile`.

    Raises:
      Refused: the file is no catalogue, or not in the form in which every program reads the same from it.
    """

    def refuse(line, sentence, /, **values):
        raise Refused(path, line, Fault("file", sentence, values))

    if not (path.exists() or path.is_symlink()):
        refuse(1, NO_CATALOGUE)
    if path.is_symlink() or not path.is_file():
        refuse(1, _("a link to another place, or a folder: put the file itself here"))
    if path.stat().st_size > LARGEST:
        refuse(1, _("{size} bytes: a catalogue has {limit} at most"), size=path.stat().st_size, limit=LARGEST)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        refuse(line, _("not UTF-8 ({reason}): save it as UTF-8"), reason=error.reason)
    if text.startswith("\ufeff"):
        refuse(1, _("begins with a byte order mark: save it as UTF-8 without BOM"))
    for number, line in enumerate(text.split("\n"), start=1):
        for fault in line_faults(line):
            raise Refused(path, number, fault)
    try:
        catalogue = polib.pofile(str(path), encoding="utf-8")
    except (OSError, ValueError) as error:
        place = re.search(r"line (\d+)", str(error))
        refuse(place[1] if place else 1, _("not a valid catalogue: {error}"), error=error)
    if catalogue.metadata.get("Content-Type") != CONTENT_TYPE:
        refuse(1, _("the header Content-Type must be {value}"), value=CONTENT_TYPE)
    seen = set()
    for entry in catalogue:
        if entry.msgid in seen:
            refuse(entry.linenum, _("the same English is there twice: keep one of the two entries"))
        seen.add(entry.msgid)
        if entry.msgctxt or entry.msgid_plural:
            refuse(entry.linenum, _("msgctxt and plural forms are not used in this book: take them out"))
    return catalogue


def is_complete(catalogue):
    """Whether somebody has declared that nothing is missing from a catalogue, and nothing may."""
    return catalogue.metadata.get(COMPLETE) == "yes"


def line_faults(line):
    """Yields a `Fault` for each reason why a line is not one of a catalogue."""
    if line.startswith(CONFLICT):
        yield Fault("file", _("a conflict that git left: keep one of the two versions"))
    if "\0" in line:
        yield Fault("file", _("a NUL, which no text has: save it as plain text"))
    if not LINE.fullmatch(line):  # polib reads past missing quotes
        sentence = _("not a valid catalogue: look for a missing quote or an odd backslash in {line}")
        yield Fault("file", sentence, {"line": line[:80]})
    flags = FLAG.fullmatch(line)
    if LIKE_A_FLAG.match(line) and line != "#, fuzzy":
        yield Fault("file", _("{line} does not mark the entry as fuzzy: write `#, fuzzy`"), {"line": line})
    if flags and not FLAGS.issuperset(flags[1].split(", ")):
        yield Fault("file", _("the flag in {line} means nothing here: take it out"), {"line": line})


def load(path):
    """Reads what a catalogue has to publish.

    Returns:
      {message: translation} of the entries that are neither fuzzy nor empty nor obsolete. Without a file: none.

    Raises:
      Refused: as for `parse`; or a translation is not made of the parts of its message.
    """
    if not path.exists():
        return {}
    translations = {}
    for entry in parse(path):
        if entry.translated():
            for fault in structure.faults(entry.msgid, entry.msgstr):
                raise Refused(path, entry.linenum, fault)
            translations[entry.msgid] = entry.msgstr
    return translations


def strangers(book):
    """Returns what looks like a catalogue under `locale` and is none of the book's, as a set of paths.

    Sphinx would use it, whatever the language: also for the one the book is written in.
    """
    known = {book.catalogue(name, language) for name in book.domains for language in book.translations}
    known |= {path.with_suffix(".mo") for path in known}

    def odd(path):
        like_a_catalogue = path.suffix in (".po", ".mo") and not (path in known and path.is_file())
        return path.is_symlink() or like_a_catalogue

    return set(filter(odd, (book.root / "locale").rglob("*")))
