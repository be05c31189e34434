"""What an author does between two builds: each edit is of a chapter of its own, so that none need be undone."""

import shutil

import polib
import yaml

from ci.book import Book

CHAPTERS = 4  # that are needed
NEW = "new_chapter"


def prose(book):
    """Adds a sentence to the end of the first chapter."""
    path = book.source(book.chapters[0])
    path.write_text(path.read_text(encoding="utf-8").rstrip("\n") + "\n\nThat is all.\n", encoding="utf-8")


def catalogue(book):
    """Adds a word to the last translation of the second chapter, in the first language that has catalogues."""
    path = book.catalogue(book.chapters[1], book.translations[0])
    entries = polib.pofile(path)
    entries[-1].msgstr += " …"
    entries.save()


def changed_code(text):
    """A chapter's text with a line more in its last code cell."""
    before, cell, after = text.rpartition("```{code-cell}")
    source, end, rest = after.partition("\n```\n")
    return f"{before}{cell}{source}\n# One line more.{end}{rest}"


def code(book):
    """Adds a line to the last code cell of the third chapter."""
    path = book.source(book.chapters[2])
    path.write_text(changed_code(path.read_text(encoding="utf-8")), encoding="utf-8")


def chapter(book):
    """Adds a chapter, as much as the fourth one; returns the book with it."""
    old = book.chapters[3]
    new = f"{old.rpartition('/')[0]}/{NEW}"
    text = book.source(old).read_text(encoding="utf-8")
    book.source(new).write_text(changed_code(text), encoding="utf-8")
    path = book.root / "_toc.yml"
    toc = yaml.safe_load(path.read_text(encoding="utf-8"))
    for part in toc["parts"]:
        part["chapters"] += [{"file": new}] * ({"file": old} in part["chapters"])
    path.write_text(yaml.safe_dump(toc), encoding="utf-8")
    return Book(book.root)


def source_language_alone(book):
    """Takes all other languages out; returns the book."""
    path = book.root / "_config.yml"
    config = yaml.safe_load(path.read_text(encoding="utf-8"))
    languages = config["sphinx"]["config"]["book_languages"]
    config["sphinx"]["config"]["book_languages"] = {book.source_language: languages[book.source_language]}
    path.write_text(yaml.safe_dump(config, allow_unicode=True), encoding="utf-8")
    for code in book.translations:
        shutil.rmtree(book.root / "locale" / code)
    return Book(book.root)


def rendered(book):
    """{page of a language: when it was rendered}."""
    return {path: path.stat().st_mtime_ns for path in book.built("sphinx").glob("*/book/**/*.html")}


def forget_rendered(book):
    """Makes the next build render every page."""
    shutil.rmtree(book.built("sphinx"))


def forget_programs(book):
    """Makes the next execution compile everything."""
    shutil.rmtree(book.built("programs"))
