"""Find files and entries of pages that were removed or renamed, and notebooks that are missing."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path

from ci.book import Book, BookError
from ci.catalogues import lists, po
from ci.execution import frameworks, saved
from ci.notebooks import trials


def refuse_missing(book: Book) -> None:
    """Raise BookError if the notebook of a chapter in a language, to which the page links, is missing or no JSON."""
    paths = [book.notebook(name, language) for name in book.chapters for language in book.languages]
    contents = {path: path.read_bytes() if path.exists() else b"" for path in paths}
    if missing := [book.relative(path) for path, content in contents.items() if not content.strip()]:
        raise BookError(f"there is no {', '.join(missing)}: run ./ci/book.sh refresh, which makes what is missing")
    for path, content in contents.items():
        try:
            json.loads(content)
        except ValueError:
            saved.load(book, path)  # which says why


def leftovers(book: Book) -> list[Path]:
    """Return the notebooks and lists that belong to no chapter, and the catalogues of no page."""
    known = {book.notebook(name, language) for name in book.chapters for language in book.languages}
    known |= {trials.path(book, name) for name in book.chapters}
    catalogues = set(filter(is_catalogue, po.strangers(book)))
    files = {*book.root.glob("notebooks/**/*.ipynb"), *book.root.glob(f"book/**/*{trials.ENDING}"), *catalogues}
    return sorted(path for path in files - known if ".ipynb_checkpoints" not in path.parts)


def repair(book: Book, path: Path) -> str:
    """Return a line with the commands that delete or move a leftover file of a removed or renamed page."""
    name = book.relative(path)
    word = shlex.quote(name)
    first = "after ./ci/book.sh update, which saves what stands on other pages now, " * is_catalogue(path)
    return f"{name}: no page has it; {first}rm {word}, or after a renaming mv {word} NEW"


def is_catalogue(path: Path) -> bool:
    """Return whether a file is a catalogue."""
    return path.suffix == ".po"


def entries(book: Book) -> list[str]:
    """Return a line for each removed or renamed page that still has entries in a file, such as `locale/search.csv`."""
    pages = {page for page, _section in lists.search_words(book)}
    known = {
        book.relative(lists.search_path(book)): sorted(pages.difference(book.pages)),
        "_config.yml, frameworks": sorted(set(frameworks.listed(book)).difference(book.chapters)),
        book.relative(trials.results_path(book)): sorted(set(trials.results(book)).difference(book.chapters)),
    }
    return [
        f"{where}: {page} is gone; take its lines out, or write the new name of the page"
        for where, gone in known.items()
        for page in gone
    ]


def refuse(book: Book, but: Callable[[Path], bool] = lambda _path: False) -> None:
    """Raise BookError if files, `but` some, or entries of removed or renamed pages remain, with a remedy for each."""
    if lines := [*(repair(book, path) for path in leftovers(book) if not but(path)), *entries(book)]:
        raise BookError("\n".join(["these are left of pages that were removed or renamed:", *lines]))
