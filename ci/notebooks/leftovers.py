"""Find what a page leaves behind when it is removed or renamed, and notebooks that are missing."""

import shlex
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from ci.book import Book, BookError, git
from ci.catalogues import po, search_words
from ci.execution import frameworks
from ci.notebooks.faults import KINDS

Place = Callable[[str], Path]  # the path at which a page has a file of some kind


def refuse_missing(book: Book) -> None:
    """Raise BookError if a chapter lacks a notebook in a language: the site offers it beside the page."""
    paths = [book.notebook(name, language) for name in book.chapters for language in book.languages]
    if missing := [book.relative(path) for path in paths if not path.exists()]:
        raise BookError(f"there is no {', '.join(missing)}: run ./ci/book.sh refresh, which makes what is missing")


def left(paths: Iterable[Path], place: Place, pages: list[str]) -> dict[Path, Path | None]:
    """Return {file of no page: where it belongs if its page is the only one without such a file}.

    Args:
      paths: files of one kind.
      place: where a page has its file of this kind.
    """
    known = [place(page) for page in pages]
    missing = [path for path in known if not path.exists()]
    return {path: missing[0] if len(missing) == 1 else None for path in sorted(set(paths).difference(known))}


def leftovers(book: Book) -> dict[Path, Path | None]:
    """Return the notebooks and lists of no chapter and the catalogues of no page, as `left` does."""
    found: dict[Path, Path | None] = {}
    notebooks = [path for path in book.root.glob("notebooks/**/*.ipynb") if ".ipynb_checkpoints" not in path.parts]
    folders = {language: book.root / "notebooks" / language for language in book.languages}
    for language, folder in folders.items():
        own = [path for path in notebooks if folder in path.parents]
        found |= left(own, partial(book.notebook, language=language), book.chapters)
    found |= dict.fromkeys(path for path in notebooks if not {*folders.values()}.intersection(path.parents))
    for kind in KINDS:
        found |= left(book.root.glob(f"book/**/*{kind.ending}"), partial(kind.path, book), book.chapters)
    strangers = sorted(path for path in po.strangers(book) if path.suffix == ".po")
    for language in book.translations:
        own = [path for path in strangers if book.root / "locale" / language in path.parents]
        found |= left(own, partial(book.catalogue, language=language), book.domains)
    return found | {path: None for path in strangers if path not in found}


def repairs(book: Book, files: dict[Path, Path | None]) -> list[str]:
    """Return a line for each file that is left: the commands that remove it or, if its page was renamed, move it."""
    names = [book.relative(path) for path in files]
    known = (git.git(book, "-c", "core.quotePath=off", "ls-files", "--", *names) or "").splitlines()
    lines = []
    for name, goal in zip(names, files.values(), strict=True):
        tool = "git " if name in known else ""
        move = shlex.join([name, book.relative(goal) if goal else "NEW"])
        removal = f"{tool}rm -f" if tool else "rm"
        lines.append(f"{name}: no page has it; {removal} {shlex.quote(name)}, or after a renaming {tool}mv {move}")
    return lines


def entries(book: Book) -> list[str]:
    """Return a line for each page that is gone and still stands in a list."""
    pages = {page for page, _section in search_words.load(book)}
    lists = {
        book.relative(search_words.path(book)): sorted(pages.difference(book.pages)),
        "_config.yml, frameworks": sorted(set(frameworks.listed(book)).difference(book.chapters)),
        **{
            book.relative(kind.results_path(book)): sorted(set(kind.results(book)).difference(book.chapters))
            for kind in KINDS
        },
    }
    return [
        f"{where}: {page} is gone; take its lines out, or write the new name of the page"
        for where, gone in lists.items()
        for page in gone
    ]


def refuse(book: Book) -> None:
    """Raise BookError if something is left of a page that is gone: a line for each file and entry, with a remedy."""
    if lines := [*repairs(book, leftovers(book)), *entries(book)]:
        raise BookError("\n".join(["these are left of pages that were removed or renamed:", *lines]))
