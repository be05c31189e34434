"""Notebooks, sabotages and catalogues that are one too many, since their page is gone, or that are missing."""

import shlex

from ci.book import BookError, git
from ci.catalogues import po
from ci.notebooks import sabotages


def refuse_missing(book):
    """Raises BookError if a chapter has no notebook in some language: the site offers it beside each page."""
    paths = [book.notebook(name, language) for name in book.chapters for language in book.languages]
    if missing := [book.relative(path) for path in paths if not path.exists()]:
        raise BookError(f"there is no {', '.join(missing)}: run ./ci/book.sh refresh, which makes what is missing")


def leftovers(book):
    """Lists the notebooks and the lists of sabotages of no chapter, and the catalogues of no page."""
    expected = {book.notebook(name, language) for name in book.chapters for language in book.languages}
    notebooks = {path for path in (book.root / "notebooks").rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts}
    lists = set((book.root / "book").rglob(f"*{sabotages.ENDING}")) - {
        sabotages.path(book, name) for name in book.chapters
    }
    catalogues = (path for path in po.strangers(book) if path.suffix == ".po")
    return [*sorted(notebooks - expected), *sorted(lists), *sorted(catalogues)]


def removal(book, paths):
    """The command that removes files, also from git where it knows them."""
    names = [book.relative(path) for path in paths]
    known = (git.git(book, "-c", "core.quotePath=off", "ls-files", "--", *names) or "").splitlines()
    parts = {
        "git rm -f": [name for name in names if name in known],
        "rm": [name for name in names if name not in known],
    }
    return " && ".join(f"{command} {shlex.join(files)}" for command, files in parts.items() if files)


def refuse(book):
    """Raises BookError if there are leftovers; it names all of them, and the command that removes them."""
    if paths := leftovers(book):
        raise BookError(
            f"left of a page that is gone: {', '.join(map(book.relative, paths))}\nTo remove what is left: "
            f"{removal(book, paths)}\nIf the page was renamed by hand, give it back its old name, and run "
            "./ci/book.sh rename OLD NEW, which takes all of this along."
        )
