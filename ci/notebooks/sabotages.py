"""The sabotages of a chapter: a list beside it, `NAME.sabotage.yml`, and what came of trying them.

Each takes the cause of something the chapter claims away, and names the cell whose output must then be another.
"""

import hashlib
import json
from copy import copy
from typing import NamedTuple

import yaml

from ci import _
from ci.book import BookError, Sentence, files
from ci.catalogues.sentences import users_sentences
from ci.execution.cache import code_cells, code_digest, read
from ci.notebooks.faults import ELSEWHERE, Fault

ENDING = ".sabotage.yml"
KEYS, OPTIONAL = ("cause", "replace", "by", "noticed_by"), "error"


class Sabotage(NamedTuple):
    """One entry of a list."""

    cause: str
    """What is taken away, in words."""
    replace: str
    """Code that stands in the chapter once."""
    by: str
    """Code to put in its place; may be empty."""
    noticed_by: str
    """Code of one cell, whose output must change."""
    error: str = ""
    """The name of the error that this cell raises then; "" if it raises none."""


def path(book, name):
    """Where the list of a chapter is."""
    return book.source(name).with_suffix(ENDING)


def nodes(book, name):
    """Lists the entries of a chapter's list as YAML has them; it may be missing.

    Raises:
      BookError: it is no list.
    """
    file = path(book, name)
    if not file.exists():
        return []
    try:
        root = yaml.compose(file.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        values = {"file": book.relative(file), "reason": " ".join(str(error).split())}
        raise BookError(_("{file}: {reason}: put these lines right, they are YAML"), **values) from error
    if not isinstance(root, yaml.SequenceNode | None):
        raise BookError(_("{file}: it is no list: begin each entry with `- cause:`"), file=book.relative(file))
    return root.value if root else []


def sabotage(node):
    """The `Sabotage` of an entry.

    Raises:
      BookError: keys are missing, or unknown, or have more than one text.
    """
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    found = {key.value: value.value for key, value in pairs if isinstance(value, yaml.ScalarNode)}
    if len(found) != len(pairs) or not {*KEYS} <= {*found} <= {*KEYS, OPTIONAL}:
        sentence = _("it needs {keys}, and may have {optional}, each with one text: write code in quotes")
        raise BookError(sentence, keys=", ".join(KEYS), optional=OPTIONAL)
    return Sabotage(**found)


def place(cells, sabotage, key):
    """The number of the only cell that has the code of a key, counted from 0.

    Raises:
      BookError: no cell has it, or several do, or one twice.
    """
    text = getattr(sabotage, key)
    found = [number for number, cell in enumerate(cells) for _time in range(cell.source.count(text) if text else 0)]
    if len(found) != 1:
        sentence = _("{key} stands {count} times in the code of the chapter: write more of it, or less: {text}")
        raise BookError(sentence, key=key, count=len(found), text=repr(text))
    return found[0]


def places(cells, sabotage):
    """The numbers of the cell that is changed and of the one that must notice, counted from 0.

    Raises:
      BookError: one of them is not to be found, or the second stands before the first.
    """
    changed, noticing = (place(cells, sabotage, key) for key in ("replace", "noticed_by"))
    if changed > noticing:
        raise BookError(_("the cell of noticed_by stands before that of replace: name one that is executed later"))
    return changed, noticing


def listed(book, name):
    """Lists the `Sabotage`s of a chapter.

    Raises:
      BookError: the list cannot be read.
    """
    return [sabotage(node) for node in nodes(book, name)]


def faults(book, name):
    """Lists the `Fault`s of a chapter's list.

    Raises:
      BookError: it cannot be read at all.
    """
    cells, gettext, found = code_cells(read(book, name)), users_sentences().gettext, []
    for number, node in enumerate(nodes(book, name), start=1):
        try:
            places(cells, sabotage(node))
        except BookError as error:
            what = Sentence(_("entry {number}: {what}"), number=number, what=error).say(gettext)
            found.append(Fault(book.relative(path(book, name)), node.start_mark.line + 1, what))
    return found


class Result(NamedTuple):
    """What came of a chapter's sabotages."""

    digest: str
    """Of its code and its list as they were."""
    date: str
    jax: str
    listed: int
    noticed: int


def digest(book, name):
    """Names the state of the code of a chapter, but for the cell that acts only elsewhere, and of its list."""
    notebook = copy(read(book, name))
    notebook.cells = [cell for cell in notebook.cells if ELSEWHERE not in cell.source]
    return hashlib.sha256((code_digest(notebook) + repr(listed(book, name))).encode()).hexdigest()[:16]


def results_path(book):
    return book.root / "book" / "sabotages.json"


def results(book):
    """The stored `Result`s, {chapter: result}, also those of chapters that have changed since."""
    file = results_path(book)
    found = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return {name: Result(**result) for name, result in found.items()}


def store(book, new):
    """Stores `Result`s, {chapter: result}, beside those of other chapters."""
    known = results(book) | new
    kept = {name: known[name]._asdict() for name in book.chapters if name in known}
    files.write(results_path(book), json.dumps(kept, indent=2) + "\n")
