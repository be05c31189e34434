"""PyTorch and TensorFlow, for the chapters listed under `frameworks` in `_config.yml`.

`nox -s frameworks` installs them into a separate folder, so that no other chapter can import them: some packages
behave differently, or take much longer, where they are installed. If they are not installed, these chapters keep the
outputs of their notebooks.
"""

import os
import sys
from collections.abc import Iterable
from importlib.machinery import PathFinder

from ci import _
from ci.book import Book, BookError, install

REMEDY = ".venv/bin/nox -s frameworks"


def folder(book: Book) -> str | None:
    """Return the folder of the frameworks, or None if requirements-frameworks.txt is not completely installed."""
    return str(install.frameworks(book.root)) if install.frameworks_installed(book.root) else None


def listed(book: Book) -> dict[str, list[str]]:
    """Return {chapter: [modules that it needs]} from `_config.yml`; raise BookError if it has another form."""
    modules = book.config.get("frameworks") or {}
    if not isinstance(modules, dict) or not all(isinstance(names, list) for names in modules.values()):
        raise BookError(_("_config.yml: write `frameworks:` as lines such as `book/part/chapter: [torch]`"))
    return modules


def needed(book: Book, name: str) -> list[str]:
    """Return the names of the framework modules that a chapter needs."""
    return listed(book).get(name, [])


def lacking(book: Book, name: str) -> list[str]:
    """Return the names of the framework modules that a chapter needs and that are not installed."""
    places = [*filter(None, [folder(book)]), *sys.path]
    return [module for module in needed(book, name) if not PathFinder.find_spec(module, places)]


def refuse_lacking(book: Book, names: Iterable[str]) -> None:
    """Raise BookError if a framework that one of the chapters needs is not installed."""
    for name in names:
        if modules := lacking(book, name):
            sentence = _("{name} cannot be executed without {modules}: run {remedy}")
            raise BookError(sentence, name=name, modules=", ".join(modules), remedy=REMEDY)


def variables(book: Book, name: str) -> dict[str, str]:
    """Return the environment variables for the kernel of a chapter, none if the chapter needs no frameworks.

    With them the kernel can import the frameworks, and PyTorch writes its temporary files beside them.
    """
    if not needed(book, name):
        return {}
    kept = str(install.frameworks(book.root) / "torchinductor")  # PyTorch creates this folder when it is imported
    places = filter(None, [os.environ.get("PYTHONPATH"), folder(book)])
    return {"PYTHONPATH": os.pathsep.join(places), "TORCHINDUCTOR_CACHE_DIR": kept}
