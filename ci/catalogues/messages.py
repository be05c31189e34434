"""Extracts the messages that translators see: those of the pages by Sphinx, and what the commands say.

Executes nothing: the outputs are those stored in the notebooks, of which figures have a description.
"""

import os
import time

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from ci.book import TOOLS, sphinx
from ci.catalogues.compile import forget_strays
from ci.execution import stored

METHODS = [("**.py", "python"), ("**.html", "jinja2")]


def folder(book):
    """Where the templates of the catalogues are."""
    return book.built("gettext")


def inputs(book):
    """Yields the files on which the messages of the pages depend; those of a new chapter may be missing."""
    yield from (book.root / name for name in ("_toc.yml", "_config.yml", "requirements.txt"))
    yield from map(book.source, book.pages)
    yield from (book.notebook(name, book.source_language) for name in book.chapters)
    yield from (book.root / "ci").rglob("*.py")


def newest(paths):
    return max(path.stat().st_mtime_ns for path in paths if path.exists())


def extract(book):
    """Brings the templates up to date, if anything they depend on is newer.

    Raises:
      BookError: a page cannot be read.
    """
    forget_strays(book)
    extract_sentences(book)
    stamp = folder(book) / "complete"
    if stamp.exists() and newest(inputs(book)) < stamp.stat().st_mtime_ns:
        return
    stamp.unlink(missing_ok=True)
    now = time.time_ns()  # what is saved from here on is newer
    cache = stored.fill(book)
    language = book.source_language
    places = {"output": folder(book), "doctrees": book.built("gettext-doctrees")}
    sphinx.render_all(book, "gettext", {language: places}, cache=cache, strict=False)
    stamp.touch()
    os.utime(stamp, ns=(now, now))


def extract_sentences(book):
    """Writes what the commands and the site say as a template."""
    catalogue = Catalog(charset="utf-8")
    for _file, _line, sentence, *_rest in extract_from_dir(book.root / "ci", METHODS, keywords={"_": None}):
        message = catalogue.add(sentence)  # the sentence alone: file and line would change with every edit
        message.flags.discard("python-format")  # which Babel guesses from a per cent sign
    path = folder(book) / f"{TOOLS}.pot"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, omit_header=True, width=0)
