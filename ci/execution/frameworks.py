"""PyTorch and TensorFlow, for the chapters that compare with them.

`./ci/book.sh frameworks` installs them into a folder of their own, so that no other chapter finds them: some packages
do other things, or take much longer, where they are installed. Without them these chapters keep the outputs of their
notebooks.
"""

import os
import sys
from importlib.machinery import PathFinder

from ci import _
from ci.book import BookError

REMEDY = "./ci/book.sh frameworks"


def folder(book):
    return book.root / ".venv" / "frameworks"


def needed(book, name):
    """The modules that a chapter needs, as `_config.yml` lists them."""
    return book.config.get("frameworks", {}).get(name, [])


def lacking(book, name):
    """Those that cannot be found here."""
    places = [str(folder(book)), *sys.path]
    return [module for module in needed(book, name) if not PathFinder.find_spec(module, places)]


def refuse_lacking(book, names):
    """Raises BookError if one of some chapters cannot be executed here."""
    for name in names:
        if modules := lacking(book, name):
            sentence = _("{name} cannot be executed without {modules}: run {remedy}")
            raise BookError(sentence, name=name, modules=", ".join(modules), remedy=REMEDY)


def variables(book, name):
    """The environment in which the kernel of a chapter finds them."""
    places = [str(folder(book)), os.environ.get("PYTHONPATH")]
    return {"PYTHONPATH": os.pathsep.join(filter(None, places))} if needed(book, name) else {}


def chapter_at(book, path):
    """The chapter that needs them and has this notebook, in any language, or None."""
    names = book.config.get("frameworks", {})
    found = (name for name in names for language in book.languages if book.notebook(name, language) == path)
    return next(found, None)
