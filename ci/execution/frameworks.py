"""PyTorch and TensorFlow, for the chapters that compare with them, as `_config.yml` lists them.

`./ci/book.sh frameworks` installs them into a folder of their own, so that no other chapter finds them: some packages
behave in another way, or take much longer, where they are installed. Without them these chapters keep the outputs of
their notebooks.
"""

import os
import sys
from collections.abc import Iterable
from importlib.machinery import PathFinder
from pathlib import Path

from ci import _
from ci.book import Book, BookError, installed

REMEDY = "./ci/book.sh frameworks"


def folder(book: Book) -> str | None:
    """Return where they are, or None if not all that requirements-frameworks.txt lists is installed."""
    path = installed.frameworks(book.root)
    return str(path) if installed.marked(path, book.root / installed.FRAMEWORKS_LOCK) else None


def listed(book: Book) -> dict[str, list[str]]:
    """Return {chapter: [modules that it needs]}; raise BookError if `_config.yml` has it in another form."""
    modules = book.config.get("frameworks") or {}
    if not isinstance(modules, dict) or not all(isinstance(names, list) for names in modules.values()):
        raise BookError(_("_config.yml: write `frameworks:` as lines such as `book/part/chapter: [torch]`"))
    return modules


def needed(book: Book, name: str) -> list[str]:
    """Return the modules that a chapter needs."""
    return listed(book).get(name, [])


def lacking(book: Book, name: str) -> list[str]:
    """Return the modules that a chapter needs and this machine does not have."""
    places = [*filter(None, [folder(book)]), *sys.path]
    return [module for module in needed(book, name) if not PathFinder.find_spec(module, places)]


def refuse_lacking(book: Book, names: Iterable[str]) -> None:
    """Raise BookError if one of some chapters cannot be executed here."""
    for name in names:
        if modules := lacking(book, name):
            sentence = _("{name} cannot be executed without {modules}: run {remedy}")
            raise BookError(sentence, name=name, modules=", ".join(modules), remedy=REMEDY)


def python_path(book: Book, *places: Path | str | None) -> str:
    """Return a value of PYTHONPATH by which Python looks in some places first, and then where the frameworks are."""
    return os.pathsep.join(str(place) for place in [*places, folder(book)] if place)


def variables(book: Book, name: str) -> dict[str, str]:
    """Return the environment in which the kernel of a chapter finds them, and writes no temporary files elsewhere."""
    if not needed(book, name):
        return {}
    kept = str(installed.frameworks(book.root) / "torchinductor")  # PyTorch makes this folder when it is imported
    return {"PYTHONPATH": python_path(book, os.environ.get("PYTHONPATH")), "TORCHINDUCTOR_CACHE_DIR": kept}
