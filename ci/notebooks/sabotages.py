"""Read the sabotages of a chapter, a list beside it, `NAME.sabotage.yml`, and store what came of trying them.

A sabotage removes the cause of something that the chapter claims, and names the cell whose output must then change.
"""

import hashlib
import json
from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import NamedTuple

import yaml
from nbformat import NotebookNode

from ci.book import Book, BookError, files
from ci.execution.cache import code_cells, code_digest, read
from ci.notebooks.cells import ELSEWHERE, Fault

ENDING = ".sabotage.yml"
KEYS, OPTIONAL = ("cause", "replace", "by", "noticed_by"), "error"


class Sabotage(NamedTuple):
    """One entry of a list."""

    cause: str
    """What is removed, in words."""
    replace: str
    """Code that stands in the chapter once."""
    by: str
    """Code to put in its place; may be empty."""
    noticed_by: str
    """Code of one cell, whose output must change."""
    error: str = ""
    """The name of the error that this cell raises then; "" if it raises none."""


def path(book: Book, name: str) -> Path:
    """Return the path of the list of a chapter."""
    return book.source(name).with_suffix(ENDING)


def nodes(book: Book, name: str) -> list[yaml.Node]:
    """Return the entries of a chapter's list as YAML has them; none if there is no list."""
    file = path(book, name)
    if not file.exists():
        return []
    try:
        root = yaml.compose(file.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise BookError(f"{book.relative(file)}: {reason}: put these lines right, they are YAML") from error
    if not isinstance(root, yaml.SequenceNode | None):
        raise BookError(f"{book.relative(file)}: it is no list: begin each entry with `- cause:`")
    return root.value if root else []


def sabotage(node: yaml.Node) -> Sabotage:
    """Read an entry; raise BookError if keys are missing, or unknown, or have more than one text."""
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    texts = {key.value: value.value for key, value in pairs if isinstance(value, yaml.ScalarNode)}
    if len(texts) != len(pairs) or not {*KEYS} <= {*texts} <= {*KEYS, OPTIONAL}:
        keys = ", ".join(KEYS)
        raise BookError(f"it needs {keys}, and may have {OPTIONAL}, each with one text: write code in quotes")
    return Sabotage(**texts)


def place(cells: Sequence[NotebookNode], sabotage: Sabotage, key: str) -> int:
    """Return the number, from 0, of the only cell that has the code of a key; raise BookError if there is none."""
    text = getattr(sabotage, key)
    counts = [cell.source.count(text) if text else 0 for cell in cells]
    if sum(counts) == 0:
        raise BookError(f"{key}: the code of the chapter does not have {text!r}: copy code of the chapter")
    if sum(counts) > 1:
        raise BookError(
            f"{key}: the code of the chapter has {text!r} {sum(counts)} times: copy more of the code around it, until "
            "it is unique"
        )
    return counts.index(1)


def places(cells: Sequence[NotebookNode], sabotage: Sabotage) -> tuple[int, int]:
    """Return the numbers, from 0, of the cell that is changed and of the one that must notice.

    Raises:
      BookError: The code of one of them is not in just one place, or the second cell stands before the first.
    """
    changed, noticing = (place(cells, sabotage, key) for key in ("replace", "noticed_by"))
    if changed > noticing:
        raise BookError("the cell of noticed_by stands before the cell of replace: name a cell that is executed later")
    return changed, noticing


def listed(book: Book, name: str) -> list[Sabotage]:
    """Return the sabotages of a chapter; raise BookError if the list cannot be read."""
    return [sabotage(node) for node in nodes(book, name)]


def faults(book: Book, name: str) -> list[Fault]:
    """Return the faults of a chapter's list; raise BookError if the list or the chapter cannot be read."""
    cells, faults = code_cells(read(book, name)), []
    for number, node in enumerate(nodes(book, name), start=1):
        try:
            places(cells, sabotage(node))
        except BookError as error:
            faults.append(Fault(book.relative(path(book, name)), node.start_mark.line + 1, f"entry {number}: {error}"))
    return faults


class Result(NamedTuple):
    """What came of trying a chapter's sabotages."""

    digest: str
    """The digest of its code and its list as they were."""
    date: str
    jax: str
    listed: int
    noticed: int


def digest(book: Book, name: str) -> str:
    """Return the digest of a chapter's list and code, without the cell that acts only in Colab and Kaggle."""
    notebook = copy(read(book, name))
    notebook.cells = [cell for cell in notebook.cells if ELSEWHERE not in cell.source]
    return hashlib.sha256((code_digest(notebook) + repr(listed(book, name))).encode()).hexdigest()[:16]


def results_path(book: Book) -> Path:
    """Return the path of the stored results."""
    return book.root / "book" / "sabotages.json"


def results(book: Book) -> dict[str, Result]:
    """Return the stored results, {chapter: result}, also those of chapters that have changed since."""
    file = results_path(book)
    stored = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return {name: Result(**result) for name, result in stored.items()}


def store(book: Book, new: dict[str, Result]) -> None:
    """Store results, {chapter: result}, beside those of other chapters."""
    known = results(book) | new
    kept = {name: known[name]._asdict() for name in book.chapters if name in known}
    files.write(results_path(book), json.dumps(kept, indent=2) + "\n")
