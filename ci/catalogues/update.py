"""Bring catalogues up to date with the messages of the pages, create those that are missing, and add a language."""

import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import polib
from babel import Locale, UnknownLocaleError

from ci import _
from ci.book import Book, BookError, Sentence, UsageError, display, files
from ci.catalogues import glossary, messages, po
from ci.catalogues.sentences import say

LANGUAGES = re.compile(r"^languages:[ \t]*(?:#.*)?\n(?:(?P<indent> +)\S+:.*\n)+", re.MULTILINE)
ADDED = (
    _("{name} has been added; its pages are in English until they are translated. To commit: {files}"),
    _("To see the translation while you write it: ./ci/book.sh preview {code}"),
)
TERMS = _("Add terms to locale/glossary.csv as rows in alphabetical order, such as {row}")
NEEDED = _("msgmerge is needed to update catalogues (Debian: `apt install gettext`; macOS: `brew install gettext`)")
MERGE = ["--update", "--previous", "--no-wrap", "--backup=none", "--quiet"]


def _create(book: Book, path: Path, language: str) -> None:
    """Write a catalogue that has headers and no entries."""
    catalogue = polib.POFile()
    catalogue.metadata = {"Project-Id-Version": book.name, "PO-Revision-Date": "", "Language": language}
    catalogue.metadata |= {"Last-Translator": "", "X-Reviewer": "", "MIME-Version": "1.0"}
    catalogue.metadata |= {"Content-Type": po.CONTENT_TYPE, "Content-Transfer-Encoding": "8bit"}
    path.parent.mkdir(parents=True, exist_ok=True)
    catalogue.save(str(path))


def compendium(book: Book, language: str) -> dict[str, polib.POEntry]:
    """Return {message: its entry} of all translations, also of pages that are gone; fuzzy, obsolete ones come last.

    What is fuzzy translates the English of before (`#|`), which may have come back.
    """
    paths = sorted((book.root / "locale" / language).rglob("*.po"))
    entries = [entry for path in paths for entry in po.parse(path) if entry.msgstr]
    worst_first = sorted(entries, key=lambda entry: (entry.obsolete, entry.fuzzy), reverse=True)
    before = {entry.previous_msgid: entry.msgstr for entry in entries if entry.fuzzy and entry.previous_msgid}
    known = {message: polib.POEntry(msgid=message, msgstr=text) for message, text in before.items()}
    return known | {entry.msgid: entry for entry in worst_first}


def borrow(path: Path, messages: Iterable[str], known: Mapping[str, polib.POEntry]) -> None:
    """Add translations to a catalogue for messages that it has none for, as when a sentence has moved to its page."""
    catalogue = po.parse(path)
    empty = {entry.msgid: entry for entry in catalogue if not entry.msgstr}
    lacking = set(messages) - {entry.msgid for entry in catalogue if entry.msgstr}
    found = [known[message] for message in sorted(lacking & known.keys())]
    for entry in found:
        if entry.msgid in empty:
            catalogue.remove(empty[entry.msgid])
        flags, comment = ["fuzzy"] * entry.fuzzy, entry.tcomment
        catalogue.append(polib.POEntry(msgid=entry.msgid, msgstr=entry.msgstr, flags=flags, tcomment=comment))
    if found:
        catalogue.save(str(path))


def update(book: Book, name: str, language: str, known: Mapping[str, polib.POEntry]) -> None:
    """Merge the messages of a page into its catalogue, given the `compendium`; raise Refused if it cannot be read.

    Entries whose English has changed become fuzzy and keep the old English; those that the page has no more become
    obsolete (`#~`), and are used again when their English returns.
    """
    template = messages.folder(book) / f"{name}.pot"
    extracted = polib.pofile(str(template))
    extracted.metadata.pop("POT-Creation-Date", None)  # a date that changes with each run is noise in a diff
    extracted.save(str(template))
    path = book.catalogue(name, language)
    if is_new := not path.exists():
        _create(book, path, language)
    before = po.parse(path).obsolete_entries()
    borrow(path, [entry.msgid for entry in extracted], known)
    subprocess.run(["msgmerge", *MERGE, path, template], check=True)
    merged, shown = po.parse(path), book.relative(path)
    left = {entry.msgid for entry in merged}
    if used := [entry for entry in before if entry.msgid not in left]:  # as the fuzzy entry of a similar sentence
        merged.extend(used)
        merged.save(str(path))
    if is_new:
        print(say(_("written: {path}: {count} entries to translate"), path=shown, count=len(merged)))
    if fuzzy := len(merged.fuzzy_entries()):
        print(say(_("{path}: entries whose English has changed: {count}"), path=shown, count=fuzzy))
    if (gone := len(merged.obsolete_entries())) > len(before):
        sentence = _("{path}: translations whose English is gone, kept at the end (#~): {count}")
        print(say(sentence, path=shown, count=gone))


def needs_gettext() -> None:
    """Raise BookError if msgmerge is not installed."""
    if not shutil.which("msgmerge"):
        raise BookError(NEEDED)


def update_all(book: Book, languages: Sequence[str]) -> None:
    """Bring the catalogues of some languages up to date."""
    needs_gettext()
    known = {language: compendium(book, language) for language in languages}
    catalogues = [(name, language) for language in languages for name in book.domains_in(language)]
    with display.stage(_("merging"), len(catalogues)) as advance:
        for name, language in catalogues:
            update(book, name, language, known[language])
            advance()


def new_name(book: Book, code: str) -> str:
    """Return the own name of a new language, such as "日本語" for "ja"; raise UsageError for a wrong or known code."""
    if code in book.languages:
        raise UsageError(_("the book is already in {language} ({code})"), language=book.languages[code], code=code)
    try:
        if not re.fullmatch("[a-z]{2,3}", code):
            raise ValueError(code)
        locale = Locale.parse(code)
        if locale.language != code:
            raise UsageError(_("{code}: the code of this language is {right}"), code=repr(code), right=locale.language)
        name = locale.get_display_name(code) or code
    except (UnknownLocaleError, ValueError) as error:
        sentence = _("{code} is not the code of a language: use two or three letters, such as ja")
        raise UsageError(sentence, code=repr(code)) from error
    return name[0].upper() + name[1:]


def with_language(config: str, code: str, name: str) -> str:
    """Return the text of `_config.yml` with one more language; raise BookError if not each has a line of its own."""
    listed = LANGUAGES.search(config)
    if not listed:
        raise BookError(_("_config.yml: write each of the languages on a line of its own"))
    return f"{config[: listed.end()]}{listed['indent']}{code}: {name}\n{config[listed.end() :]}"


def add(book: Book, code: str, name: str) -> Book:
    """Add a language to `_config.yml`; return a `Book` that reads it again."""
    config = book.root / "_config.yml"
    files.write(config, with_language(config.read_text(encoding="utf-8"), code, name))
    return Book(book.root)


def next_steps(book: Book, code: str) -> Iterator[Sentence]:
    """Yield sentences that say what to do after a language has been added."""
    paths = f"_config.yml locale/{code} notebooks/{code}"
    for sentence in ADDED:
        yield Sentence(sentence, name=book.languages[code], code=code, files=paths)
    if glossary.path(book).exists():
        yield Sentence(TERMS, row=f"batch,{code},…,,")
