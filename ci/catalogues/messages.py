"""Extract the messages to translate into templates (.pot): the texts of the pages, and the messages of the commands.

No chapter is executed: the outputs, which include descriptions of figures, come from the notebooks.
"""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from ci.book import TOOLS, Book, sphinx
from ci.catalogues.po import remove_stray_compiled
from ci.execution import stored

METHODS = [("**.py", "python"), ("**.html", "jinja2"), ("**/labels.json", f"{__name__}:labels")]


def labels(file: IO[bytes], *_settings: object, **_options: object) -> Iterator[tuple[int, None, str, list[str]]]:
    """Yield the messages of `labels.json`: a method of extraction for Babel."""
    yield from ((0, None, message, []) for message in json.load(file))


def folder(book: Book) -> Path:
    """Return the folder of the templates (.pot files)."""
    return book.built("gettext")


def _inputs(book: Book) -> Iterator[Path]:
    """Yield the files on which the messages of the pages depend."""
    yield from (book.root / name for name in ("_toc.yml", "_config.yml", "requirements.txt"))
    yield from map(book.source, book.pages)
    notebooks = (book.notebook(name, book.source_language) for name in book.chapters)
    yield from filter(Path.exists, notebooks)  # that of a new chapter is not written yet
    yield from (path for pattern in ("*.py", "*.yml") for path in (book.root / "ci").rglob(pattern))


def extract(book: Book) -> None:
    """Write the template of the commands and, if an input is newer, those of pages; raise BookError for a bad page."""
    remove_stray_compiled(book)
    extract_sentences(book)
    stamp = folder(book) / "complete"
    if stamp.exists() and max(path.stat().st_mtime_ns for path in _inputs(book)) < stamp.stat().st_mtime_ns:
        return
    stamp.unlink(missing_ok=True)
    now = time.time_ns()  # files that are saved from here on are newer than the stamp
    cache = stored.fill(book)
    places = {"output": folder(book), "doctrees": book.built("gettext-doctrees")}
    sphinx.render_all(book, "gettext", {book.source_language: places}, cache=cache, strict=False)
    stamp.touch()
    os.utime(stamp, ns=(now, now))


def extract_sentences(book: Book) -> None:
    """Write the template with the messages of the commands, of the site, and of the book's languages."""
    catalogue = Catalog(charset="utf-8")
    for name, _line, sentence, *_rest in extract_from_dir(book.root / "ci", METHODS, keywords={"_": None}):
        first, second = [*Path(name).parts, ""][:2]
        if first == "languages" and second not in book.languages:
            continue
        message = catalogue.add(sentence)  # without file and line, which would change with every edit
        message.flags.discard("python-format")  # Babel guesses it from a per cent sign
    path = folder(book) / f"{TOOLS}.pot"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, omit_header=True, width=0)
