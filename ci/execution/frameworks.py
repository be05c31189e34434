"""PyTorch and TensorFlow, for the chapters that compare with them, as `_config.yml` lists them.

`./ci/book.sh frameworks` installs them into a folder of their own, so that no other chapter finds them: some packages
do other things, or take much longer, where they are installed. Without them these chapters keep the outputs of their
notebooks.
"""

import os
import sys
from importlib.machinery import PathFinder

from ci import _
from ci.book import BookError, installed

REMEDY = "./ci/book.sh frameworks"


def folder(book):
    """Where they are, or None if they were not installed to their end, as requirements-frameworks.txt lists them."""
    path = installed.frameworks(book.root)
    return str(path) if installed.marked(path, book.root / installed.FRAMEWORKS_LOCK) else None


def listed(book):
    """{chapter: [the modules that it needs]}

    Raises:
      BookError: `_config.yml` has it in another form.
    """
    found = book.config.get("frameworks") or {}
    if not isinstance(found, dict) or not all(isinstance(modules, list) for modules in found.values()):
        raise BookError(_("_config.yml: write `frameworks:` as lines such as `book/part/chapter: [torch]`"))
    return found


def needed(book, name):
    """The modules that a chapter needs."""
    return listed(book).get(name, [])


def lacking(book, name):
    """Those that cannot be found here."""
    places = [*filter(None, [folder(book)]), *sys.path]
    return [module for module in needed(book, name) if not PathFinder.find_spec(module, places)]


def refuse_lacking(book, names):
    """Raises BookError if one of some chapters cannot be executed here."""
    for name in names:
        if modules := lacking(book, name):
            sentence = _("{name} cannot be executed without {modules}: run {remedy}")
            raise BookError(sentence, name=name, modules=", ".join(modules), remedy=REMEDY)


def python_path(book, *places):
    """A value of PYTHONPATH by which Python finds what is in some places, and then these frameworks."""
    return os.pathsep.join(str(place) for place in [*places, folder(book)] if place)


def variables(book, name):
    """The environment in which the kernel of a chapter finds them, and leaves nothing among temporary files."""
    if not needed(book, name):
        return {}
    kept = str(installed.frameworks(book.root) / "torchinductor")  # which PyTorch makes once it is imported
    return {"PYTHONPATH": python_path(book, os.environ.get("PYTHONPATH")), "TORCHINDUCTOR_CACHE_DIR": kept}


def chapter_at(book, path):
    """The chapter that needs them and has this notebook, in any language and also in a copy of the tree, or None."""
    for name in listed(book):
        for language in book.languages:
            own = book.notebook(name, language).relative_to(book.root).parts
            if path.parts[-len(own) :] == own:
                return name
    return None
