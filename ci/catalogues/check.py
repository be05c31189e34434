"""Checks catalogues against the messages of the pages as they are, the glossary and the rules of their language."""

import os
import re
from dataclasses import dataclass, field

import polib

from ci import _
from ci.book import BookError, languages, waiting
from ci.catalogues import glossary, po, structure, wording
from ci.catalogues.fault import Fault
from ci.catalogues.translation_progress import date, person

HEADERS = {"Last-Translator": person, "PO-Revision-Date": date, "X-Reviewer": person}
WAIVER = re.compile(r"waive\b(?: ([a-z ]+): *(\S.*))?")


@dataclass(frozen=True)
class Problem:
    """A fault and where it is.

    Attributes:
      path: of the catalogue, from the root of the book.
      line: in the file, from 1.
      message: the English of the entry; "" if the fault is not one of an entry.
      fault: a `Fault`.
    """

    path: str
    line: int
    message: str
    fault: Fault

    def say(self, gettext=str):
        entry = f"{self.message[:50]!r}: " if self.message else ""
        return entry + self.fault.say(gettext)


@dataclass
class Report:
    """What a check has found.

    Attributes:
      problems: list of `Problem`.
      waived: list of (`Problem`, reason).
      outdated: list of `Problem`; fuzzy entries where not everything must be translated.
      entries: how many have been looked at.
      untranslated: how many of them have no translation; what is to be revised has one.
    """

    problems: list = field(default_factory=list)
    waived: list = field(default_factory=list)
    outdated: list = field(default_factory=list)
    entries: int = 0
    untranslated: int = 0

    def in_order(self):
        """What is to be put right, file by file in the order of the lines, the headers last, as they are filled in."""
        files = list(dict.fromkeys(problem.path for problem in self.problems + self.outdated))

        def place(problem):
            return files.index(problem.path), problem.fault.rule == "header", problem.line

        return sorted(self.problems + self.outdated, key=place)


def waivers(entry):
    """Returns {rule: reason} of the waivers in the comments of an entry; the rule is "" if one is not well written."""
    found = map(WAIVER.match, entry.tcomment.splitlines())
    return {match[1] or "": match[2] or "" for match in found if match}


def wording_faults(entries, language, terms):
    """Yields (entry, `Fault`) for what may be waived, in translated entries whose structure is sound."""
    own = languages.module(language, "rules")
    for entry in entries:
        for module in filter(None, (wording, own)):
            for fault in module.faults(entry.msgid, entry.msgstr, terms):
                yield entry, fault
    yield from wording.gloss_faults((entry, entry.msgstr) for entry in entries)


def header_faults(catalogue):
    if not any(entry.translated() for entry in catalogue):
        return
    for header in HEADERS:
        if header == "X-Reviewer" and not po.is_complete(catalogue):
            continue
        if not HEADERS[header](catalogue.metadata.get(header)):
            yield Fault(
                "header", _("the header {header} is missing, or has no name or date: fill it in"), {"header": header}
            )


OUTDATED = Fault("state", _("the English has changed: revise the translation and remove the line `#, fuzzy`"))


def state_faults(catalogue, expected):
    """Yields (line, message, `Fault`) where a catalogue and the English are not in step, or work is left undone."""
    for entry in catalogue:
        if entry.obsolete or entry.msgid not in expected:
            sentence = _("it is no longer in the English: run `./ci/book.sh update`")
            yield entry.linenum, entry.msgid, Fault("state", sentence)
        elif entry.fuzzy:
            yield entry.linenum, entry.msgid, OUTDATED
        elif not entry.msgstr and po.is_complete(catalogue):
            yield entry.linenum, entry.msgid, Fault("state", _("it is not translated"))
    present = {entry.msgid for entry in catalogue}
    for message in expected:
        if message not in present:
            yield 1, message, Fault("state", _("it is missing: run `./ci/book.sh update`"))


def check_catalogue(catalogue, path, expected, language, terms):
    """Checks one catalogue.

    Args:
      catalogue: a `polib.POFile`.
      path: as it is to be named.
      expected: the messages of the page as it is now.
      language: code of the language.
      terms: its `Glossary`.

    Returns:
      A `Report`.
    """
    begun = {entry.msgid for entry in catalogue if entry.msgstr and not entry.obsolete}
    report = Report(entries=len(expected), untranslated=len(set(expected) - begun))
    report.problems += [Problem(path, 1, "", fault) for fault in header_faults(catalogue)]
    for line, message, fault in state_faults(catalogue, expected):
        harmless = fault is OUTDATED and not po.is_complete(catalogue)
        (report.outdated if harmless else report.problems).append(Problem(path, line, message, fault))
    sound, used = [], set()
    for entry in catalogue.translated_entries():
        faults = list(structure.faults(entry.msgid, entry.msgstr))
        report.problems += [Problem(path, entry.linenum, entry.msgid, fault) for fault in faults]
        if not faults:
            sound.append(entry)
    for entry, fault in wording_faults(sound, language, terms):
        problem = Problem(path, entry.linenum, entry.msgid, fault)
        if reason := waivers(entry).get(fault.rule):
            report.waived.append((problem, reason))
            used.add((entry.msgid, fault.rule))
        else:
            report.problems.append(problem)
    for entry in catalogue.translated_entries():
        for rule in waivers(entry):
            if (entry.msgid, rule) not in used:
                sentence = _("the comment waives nothing: it must be `waive RULE: REASON`, for a rule that is broken")
                report.problems.append(Problem(path, entry.linenum, entry.msgid, Fault("waiver", sentence)))
    return report


def find(book, name, file):
    """The catalogues that a person means by a name: of `file` if it is there; or of a page, in all languages.

    Raises:
      UsageError: there is no such page.
    """
    if known := [path for path in (file, book.root / name) if path.is_file()]:
        return known[:1]
    page = name if name in book.domains else book.find_page(name)
    return [book.catalogue(page, code) for code in book.translations]


def check(book, messages, files=()):
    """Checks the catalogues of a book against the folder `messages` of .pot files.

    Args:
      files: paths; without any, all catalogues are checked, and that none is missing or one too many.

    Returns:
      A `Report`.

    Raises:
      BookError: one of the files does not exist, and is not a catalogue that the book should have.
    """
    total = Report()
    known = {book.catalogue(name, code): (name, code) for code in book.translations for name in book.domains}
    files = {file.resolve() for file in files}
    for file in files.difference(known):
        if not file.exists():
            sentence = _("there is no file {file} (paths begin at {folder})")
            raise BookError(sentence, file=file, folder=book.root)
    unknown = files.difference(known) if files else po.strangers(book)
    no_page = Fault("file", po.NO_PAGE)
    total.problems += [Problem(os.path.relpath(path, book.root), 1, "", no_page) for path in sorted(unknown)]
    terms = {language: glossary.load(book, language) for language in book.translations}
    chosen = [(path, *page) for path, page in known.items() if path not in unknown and (not files or path in files)]
    with waiting.stage(_("checking"), len(chosen), _("catalogues")) as advance:
        for path, name, language in chosen:
            add(total, check_file(book, path, expected_messages(book, messages, name), language, terms[language]))
            advance()
    return total


def add(total, report):
    total.problems += report.problems
    total.waived += report.waived
    total.outdated += report.outdated
    total.entries += report.entries
    total.untranslated += report.untranslated


def check_file(book, path, expected, language, terms):
    shown = book.relative(path)
    try:
        catalogue = po.parse(path)
    except po.Refused as error:
        return Report(
            [Problem(shown, int(error.line), "", error.fault)], entries=len(expected), untranslated=len(expected)
        )
    return check_catalogue(catalogue, shown, expected, language, terms)


def expected_messages(book, messages, name):
    """The messages of a page, in order."""
    template = messages / f"{name}.pot"
    if not template.exists():
        raise BookError(_("there is no {file}: run ./ci/book.sh check"), file=book.relative(template))
    return [entry.msgid for entry in polib.pofile(str(template))]
