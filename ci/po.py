"""Reads catalogues. What comes from here may be published: it is text, made of the parts of its message."""

import os
import re

import polib

from ci.chapters import BookError
from ci.faults import Fault, _
from ci.rules import structure

LARGEST = 1024 * 1024  # bytes
COMPLETE = "X-Complete"  # a header; where it says "yes", everything must be translated
CONTENT_TYPE = "text/plain; charset=UTF-8"  # Sphinx would decode by another one
LINE = re.compile(r'\s*(#.*|(msg\w+(\[\d+\])?\s+)?"(\\[\\"nt]|[^"\\])*"\s*)?')
CONFLICT = ("<<<<<<<", "=======", ">>>>>>>")
FLAGS = {"fuzzy", "no-wrap", "python-brace-format"}
NO_PAGE = _("there is no such page: move the file where the page went, or take it away")
LIKE_A_FLAG = re.compile(r"#(?![:|~]).{0,5}fuz+y\s*$", re.IGNORECASE)
FLAG = re.compile(r"#, (.+)")


class Refused(BookError):
    """A catalogue, or an entry of one, that must not be published."""

    def __init__(self, path, line, fault):
        self.path, self.line, self.fault = path, line, fault
        super().__init__(self.say())

    def say(self, sentences=None):
        """As `Fault.say`, with the place before it."""
        return f"{os.path.relpath(self.path)}:{self.line}: {self.fault.say(sentences)}"


def parse(path):
    """Reads a catalogue with all its entries, as a `polib.POFile`.

    Raises:
      Refused: the file is no catalogue, or not in the form in which every program reads the same from it.
    """

    def refuse(line, sentence, /, **values):
        raise Refused(path, line, Fault("file", sentence, values))

    if path.is_symlink():
        refuse(1, _("a link to another place: put the file itself here"))
    if path.stat().st_size > LARGEST:
        refuse(1, _("{size} bytes: a catalogue has {limit} at most"), size=path.stat().st_size, limit=LARGEST)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        refuse(1, _("not UTF-8 ({reason} at byte {place}): save it as UTF-8"), reason=error.reason, place=error.start)
    if text.startswith("\ufeff"):
        refuse(1, _("begins with a byte order mark: save it as UTF-8 without BOM"))
    for number, line in enumerate(text.split("\n"), start=1):
        check_line(line, lambda *sentence, number=number, **values: refuse(number, *sentence, **values))
    try:
        catalogue = polib.pofile(str(path), encoding="utf-8", check_for_duplicates=True)
    except (OSError, ValueError) as error:
        place = re.search(r"line (\d+)", str(error))
        refuse(place[1] if place else 1, _("not a valid catalogue: {error}"), error=error)
    if catalogue.metadata.get("Content-Type") != CONTENT_TYPE:
        refuse(1, _("the header Content-Type must be {value}"), value=CONTENT_TYPE)
    for entry in catalogue:
        if entry.msgctxt or entry.msgid_plural:
            refuse(entry.linenum, _("msgctxt and plural forms are not used in this book: take them out"))
    return catalogue


def is_complete(catalogue):
    """Whether somebody has declared that nothing is missing from a catalogue, and nothing may."""
    return catalogue.metadata.get(COMPLETE) == "yes"


def check_line(line, refuse):
    """Calls `refuse` with a sentence if a line is not one of a catalogue."""
    if line.startswith(CONFLICT):
        refuse(_("a conflict that git left: keep one of the two versions"))
    if "\0" in line:
        refuse(_("a NUL, which no text has: save it as plain text"))
    if not LINE.fullmatch(line):  # polib reads past missing quotes
        refuse(_("not a valid catalogue: look for a missing quote or an odd backslash in {line}"), line=line[:80])
    flags = FLAG.fullmatch(line)
    if LIKE_A_FLAG.match(line) and line != "#, fuzzy":
        refuse(_("{line} does not mark the entry as fuzzy: write `#, fuzzy`"), line=line)
    if flags and not FLAGS.issuperset(flags[1].split(", ")):
        refuse(_("the flag in {line} means nothing here: take it out"), line=line)


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


def compile_catalogue(path):
    """Writes the compiled catalogue that Sphinx reads, from what may be published; leaves one that says the same.

    Sphinx compiles a catalogue by itself, and unread, if the compiled one is missing or older.
    """
    compiled = path.with_suffix(".mo")
    catalogue = polib.POFile()
    catalogue.metadata = {"Content-Type": CONTENT_TYPE}
    catalogue.extend(polib.POEntry(msgid=message, msgstr=text) for message, text in load(path).items())
    content = catalogue.to_binary()
    if not compiled.exists() or compiled.is_symlink() or compiled.read_bytes() != content:
        compiled.unlink(missing_ok=True)
        compiled.write_bytes(content)
    elif compiled.stat().st_mtime < path.stat().st_mtime:
        compiled.touch()


def strangers(book, language):
    """Returns what stands among the catalogues of a language and is none of them, as a set of paths."""
    known = {book.catalogue(name, language) for name in book.domains}
    known |= {path.with_suffix(".mo") for path in known}
    found = (book.root / "locale" / language / "LC_MESSAGES").rglob("*")
    return {path for path in found if path.is_symlink() or (path.is_file() and path not in known)}


def compile_all(book, language):
    """Compiles the catalogues of a language.

    Raises:
      Refused: as for `load`; or there is a file that is the catalogue of no page.
    """
    for path in sorted(strangers(book, language)):
        raise Refused(path, 1, Fault("file", NO_PAGE))
    for name in book.domains:
        if (path := book.catalogue(name, language)).exists():
            compile_catalogue(path)
