"""Find files and entries of pages that were removed or renamed, and notebooks that are missing."""

import shlex
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from ci.book import Book, BookError
from ci.catalogues import lists, po
from ci.execution import frameworks
from ci.notebooks import trials

Place = Callable[[str], Path]  # returns the path of a page's file of some kind, such as its catalogue


def refuse_missing(book: Book) -> None:
    """Raise BookError if a chapter has no notebook in a language, since the site links to it from the page."""
    paths = [book.notebook(name, language) for name in book.chapters for language in book.languages]
    if missing := [book.relative(path) for path in paths if not path.exists()]:
        raise BookError(f"there is no {', '.join(missing)}: run ./ci/book.sh refresh, which makes what is missing")


def left(paths: Iterable[Path], place: Place, pages: list[str]) -> dict[Path, Path | None]:
    """Return {path of a file that belongs to no page: its new path if its page was renamed, or None}.

    The new path is known if exactly one page has no file of this kind.

    Args:
      paths: the existing files of one kind.
      place: returns the path of a page's file of this kind.
    """
    known = [place(page) for page in pages]
    missing = [path for path in known if not path.exists()]
    return {path: missing[0] if len(missing) == 1 else None for path in sorted(set(paths).difference(known))}


def leftovers(book: Book) -> dict[Path, Path | None]:
    """Return the notebooks and lists that belong to no chapter, and the catalogues of no page, as `left` does."""
    found: dict[Path, Path | None] = {}
    notebooks = [path for path in book.root.glob("notebooks/**/*.ipynb") if ".ipynb_checkpoints" not in path.parts]
    folders = {language: book.root / "notebooks" / language for language in book.languages}
    for language, folder in folders.items():
        own = [path for path in notebooks if folder in path.parents]
        found |= left(own, partial(book.notebook, language=language), book.chapters)
    found |= dict.fromkeys(path for path in notebooks if not {*folders.values()}.intersection(path.parents))
    found |= left(book.root.glob(f"book/**/*{trials.ENDING}"), partial(trials.path, book), book.chapters)
    strangers = sorted(path for path in po.strangers(book) if path.suffix == ".po")
    for language in book.languages:
        own = [path for path in strangers if book.root / "locale" / language in path.parents]
        found |= left(own, partial(book.catalogue, language=language), book.domains_in(language))
    return found | {path: None for path in strangers if path not in found}


def repairs(book: Book, files: dict[Path, Path | None]) -> list[str]:
    """For each leftover file of a removed or renamed page, return a line with the commands that delete or move it."""
    names = [book.relative(path) for path in files]
    known = (book.git("-c", "core.quotePath=off", "ls-files", "--", *names) or "").splitlines()
    lines = []
    for name, goal in zip(names, files.values(), strict=True):
        tool = "git " if name in known else ""
        move = shlex.join([name, book.relative(goal) if goal else "NEW"])
        removal = f"{tool}rm -f" if tool else "rm"
        lines.append(f"{name}: no page has it; {removal} {shlex.quote(name)}, or after a renaming {tool}mv {move}")
    return lines


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


def refuse(book: Book) -> None:
    """Raise BookError if files or entries of removed or renamed pages remain, with a line and a remedy for each."""
    if lines := [*repairs(book, leftovers(book)), *entries(book)]:
        raise BookError("\n".join(["these are left of pages that were removed or renamed:", *lines]))
