"""Check catalogues against the messages of the pages, the glossary and the rules of their language."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from urllib.parse import quote

import polib

from ci import _
from ci.book import Book, BookError, display, languages
from ci.catalogues import glossary, po, structure, wording
from ci.catalogues.sentences import say
from ci.catalogues.structure import Fault, Gettext
from ci.catalogues.translation_progress import date, person

HEADERS = {"Last-Translator": person, "PO-Revision-Date": date, "X-Reviewer": person}
WAIVER = re.compile(r"waive\b(?: ([a-z ]+): *(\S.*))?")
OUTDATED = Fault("state", _("the English has changed: revise the translation and remove the line `#, fuzzy`"))


@dataclass(frozen=True)
class Problem:
    """A fault and its place in a catalogue."""

    path: str  # of the catalogue, relative to the root of the book
    line: int  # in the file, from 1
    message: str  # the English of the entry; "" for a fault of the file
    fault: Fault

    def say(self, gettext: Gettext = str) -> str:
        """Return the beginning of the English message, and the sentence of the fault, translated."""
        entry = f"{self.message[:50]!r}: " if self.message else ""
        return entry + self.fault.say(gettext)


@dataclass
class Report:
    """The result of a check."""

    problems: list[Problem] = field(default_factory=list)
    waived: list[tuple[Problem, str]] = field(default_factory=list)  # with the reasons why they are accepted
    outdated: list[Problem] = field(default_factory=list)  # fuzzy entries of catalogues that need not be complete
    entries: int = 0  # messages that were checked
    untranslated: int = 0  # messages without any translation; fuzzy entries have one

    def in_order(self) -> list[Problem]:
        """Return problems and outdated entries by file and line; faults of the headers, filled in last, come last."""
        problems = self.problems + self.outdated
        return sorted(problems, key=lambda it: (it.path, it.fault.rule == "header", it.line))

    def add(self, other: "Report") -> None:
        """Add the result of another check to this one."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def waivers(entry: polib.POEntry) -> dict[str, str]:
    """Return {rule: reason} of the comments `waive RULE: REASON` of an entry; the rule is "" if one is malformed."""
    matches = map(WAIVER.match, entry.tcomment.splitlines())
    return {match[1] or "": match[2] or "" for match in matches if match}


def _wording_faults(
    entries: Sequence[polib.POEntry], language: str, terms: glossary.Glossary
) -> Iterator[tuple[polib.POEntry, Fault]]:
    """Yield (entry, fault) for each fault that can be waived; call it only for entries without faults of structure."""
    for module, entry in product(filter(None, (wording, languages.module(language, "rules"))), entries):
        for fault in module.faults(entry.msgid, entry.msgstr, terms):
            yield entry, fault
    yield from wording.gloss_faults(entries)


def _header_faults(catalogue: polib.POFile) -> Iterator[Fault]:
    """Yield a fault for each required header that is missing, if the catalogue has translations."""
    if not catalogue.translated_entries():
        return
    for header, value_of in HEADERS.items():
        optional = header == "X-Reviewer" and not po.is_complete(catalogue)
        if not optional and not value_of(catalogue.metadata.get(header)):
            sentence = _("the header {header} is missing, or has no name or date: fill it in")
            yield Fault("header", sentence, {"header": header})


def _state_faults(catalogue: polib.POFile, expected: Sequence[str]) -> Iterator[tuple[int, str, Fault]]:
    """Yield (line, message, fault) of entries that are fuzzy, missing, unused or, in a complete one, untranslated."""
    entries = [entry for entry in catalogue if not entry.obsolete]
    for entry in entries:
        if entry.msgid not in expected:
            sentence = _("it is no longer in the English: run `./ci/book.sh update`")
            yield entry.linenum, entry.msgid, Fault("state", sentence)
        elif entry.fuzzy:
            yield entry.linenum, entry.msgid, OUTDATED
        elif not entry.msgstr and po.is_complete(catalogue):
            yield entry.linenum, entry.msgid, Fault("state", _("it is not translated"))
    present = {entry.msgid for entry in entries}
    for message in expected:
        if message not in present:
            yield 1, message, Fault("state", _("it is missing: run `./ci/book.sh update`"))


def check_file(book: Book, path: Path, expected: Sequence[str], language: str, terms: glossary.Glossary) -> Report:
    """Check a catalogue against the current messages of its page (`expected`) and the glossary of its language."""
    shown = book.relative(path)
    try:
        catalogue = po.parse(path)
    except po.Refused as error:
        problems = [Problem(shown, error.line, "", error.fault)]
        return Report(problems, entries=len(expected), untranslated=len(expected))
    return check_catalogue(catalogue, shown, expected, language, terms)


def check_catalogue(
    catalogue: polib.POFile, path: str, expected: Sequence[str], language: str, terms: glossary.Glossary
) -> Report:
    """Check a parsed catalogue, as `check_file` does; `path` is its name in the report."""
    begun = {entry.msgid for entry in catalogue if entry.msgstr and not entry.obsolete}
    report = Report(entries=len(expected), untranslated=len(set(expected) - begun))
    report.problems += [Problem(path, 1, "", fault) for fault in _header_faults(catalogue)]
    for line, message, fault in _state_faults(catalogue, expected):
        harmless = fault is OUTDATED and not po.is_complete(catalogue)
        (report.outdated if harmless else report.problems).append(Problem(path, line, message, fault))
    translated = catalogue.translated_entries()
    sound, used = [], set()
    for entry in translated:
        faults = list(structure.faults(entry.msgid, entry.msgstr))
        report.problems += [Problem(path, entry.linenum, entry.msgid, fault) for fault in faults]
        if not faults:
            sound.append(entry)
    for entry, fault in _wording_faults(sound, language, terms):
        problem = Problem(path, entry.linenum, entry.msgid, fault)
        if reason := waivers(entry).get(fault.rule):
            report.waived.append((problem, reason))
            used.add((entry.msgid, fault.rule))
        else:
            report.problems.append(problem)
    sentence = _("the comment waives nothing: write `waive RULE: REASON` for a rule that this entry breaks")
    unused = (entry for entry in translated for rule in waivers(entry) if (entry.msgid, rule) not in used)
    report.problems += [Problem(path, entry.linenum, entry.msgid, Fault("waiver", sentence)) for entry in unused]
    return report


def find(book: Book, name: str, file: Path) -> list[Path]:
    """Return a named catalogue or, if there is no such file, those of a page in all languages; raise UsageError."""
    if known := [path for path in (file, book.root / name) if path.is_file()]:
        return known[:1]
    page = name if name in book.domains else book.find_page(name)
    return [path for path, (domain, _code) in book.catalogues.items() if domain == page]


def check(book: Book, messages: Path, files: Iterable[Path] = ()) -> Report:
    """Check catalogues against the templates in the folder `messages`; raise BookError for a file that does not exist.

    By default, all catalogues are checked, and any other file like a catalogue is a problem.
    """
    total = Report()
    known = book.catalogues
    chosen = {file.resolve() for file in files}
    for file in chosen.difference(known):
        if not file.exists():
            sentence = _("there is no file {file} (paths are relative to {folder})")
            raise BookError(sentence, file=file, folder=book.root)
    unknown = chosen.difference(known) if chosen else po.strangers(book)
    no_page = Fault("file", po.NO_PAGE)
    total.problems += [Problem(os.path.relpath(path, book.root), 1, "", no_page) for path in sorted(unknown)]
    terms = {language: glossary.load(book, language) for language in book.languages}
    paths = [path for path in known if path not in unknown and (not chosen or path in chosen)]
    with display.stage(_("checking"), len(paths)) as advance:
        for path in paths:
            name, language = known[path]
            total.add(check_file(book, path, _expected(book, messages, name), language, terms[language]))
            advance()
    return total


def _expected(book: Book, messages: Path, name: str) -> list[str]:
    """Return the messages in the template of a page, in order."""
    template = messages / f"{name}.pot"
    if not template.exists():
        raise BookError(f"there is no {book.relative(template)}: run ./ci/book.sh check")
    return [entry.msgid for entry in polib.pofile(str(template))]


def text_lines(report: Report, gettext: Gettext) -> Iterator[str]:
    """Yield lines of plain text: problems by file and line, waivers, and a summary."""
    for problem in report.in_order():
        yield f"{problem.path}:{problem.line}: {problem.say(gettext)}"
    for problem, reason in report.waived:
        place = f"{problem.path}:{problem.line}"
        yield say(_("waived: {place}: {fault} ({reason})"), place=place, fault=problem.say(gettext), reason=reason)
    sentence = _(
        "catalogues: {entries} entries checked, not translated: {untranslated}, to be revised: {outdated}, "
        "waived: {waived}, faults: {faults}"
    )
    counts = {"outdated": len(report.outdated), "waived": len(report.waived), "faults": len(report.problems)}
    yield say(sentence, **vars(report) | counts)


def github_lines(report: Report, gettext: Gettext) -> Iterator[str]:
    """Yield the command of a workflow that annotates its line, for each problem.

    See https://docs.github.com/actions/reference/workflow-commands-for-github-actions
    """
    for problem in report.problems:
        text = problem.say(gettext).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        path = quote(problem.path, safe="/ ")
        yield f"::error file={path},line={problem.line},title={problem.fault.rule}::{text}"


FORMATS = {"text": text_lines, "github": github_lines}
