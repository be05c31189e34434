"""Read the lists beside a chapter that say how to change its code, and store the results of trying these changes.

There are two kinds: `ci.notebooks.sabotages` and `ci.notebooks.lessons`.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar, get_args, get_type_hints

import yaml
from nbformat import NotebookNode

from ci.book import Book, BookError, files
from ci.execution.cache import code_digest, read
from ci.notebooks.cells import Fault, is_setup

E = TypeVar("E")


@lru_cache(maxsize=128)
def as_it_stood(book: Book, name: str, _text: str) -> NotebookNode:
    """Return a chapter as a notebook, from the cache if the text of its file is the same. Do not change the result."""
    return read(book, name)


def as_it_stands(book: Book, name: str) -> NotebookNode:
    """Return a chapter as a notebook. The result is cached, since reading takes long: do not change it."""
    return as_it_stood(book, name, book.source(name).read_text(encoding="utf-8"))


def parse(node: yaml.Node, form: type[E]) -> E:
    """Convert a YAML mapping to a NamedTuple, whose fields are texts or tuples of other such NamedTuples.

    Raises:
      BookError: A key is missing, unknown or repeated, or its value is a list in place of a text or the reverse.
    """
    kinds, optional = get_type_hints(form), form._field_defaults  # type: ignore[attr-defined]
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    found, needed = {str(key.value): value for key, value in pairs}, [key for key in kinds if key not in optional]
    lists = [key for key, kind in kinds.items() if kind is not str]
    fits = all(isinstance(found[key], yaml.SequenceNode if key in lists else yaml.ScalarNode) for key in found)
    if len(found) != len(pairs) or not {*needed} <= {*found} <= {*kinds} or not fits:
        more = f", and may have {', '.join(optional)}" if optional else ""
        but = "".join(f" ({key}: a list)" for key in lists)
        raise BookError(f"it needs {', '.join(needed)}{more}, each with one text{but}: write code in quotes")
    further = {key: get_args(kinds[key])[0] for key in lists}
    parts = {
        key: tuple(parse(part, further[key]) for part in value.value) if key in lists else value.value
        for key, value in found.items()
    }
    return form(**parts)


def place(cells: Sequence[NotebookNode], key: str, text: str) -> int:
    """Return the index of the cell that contains a text; `key` names the text in messages.

    Raises:
      BookError: The text does not occur exactly once.
    """
    counts = [cell.source.count(text) if text else 0 for cell in cells]
    if sum(counts) == 0:
        raise BookError(f"{key}: the code of the chapter does not have {text!r}: copy code of the chapter")
    if sum(counts) > 1:
        raise BookError(
            f"{key}: the code of the chapter has {text!r} {sum(counts)} times: copy more of the code around it, until "
            "it is unique"
        )
    return counts.index(1)


class Result(NamedTuple):
    """The result of trying the changes in a chapter's list."""

    digest: str
    """The `Kind.digest` of the chapter when its list was tried."""
    date: str
    jax: str
    counts: dict[str, int]
    """{what was counted: how many}"""


@dataclass(frozen=True)
class Kind(Generic[E]):
    """A kind of list beside chapters: sabotages or lessons."""

    name: str
    """The name of the entries and of the file with their results, such as "sabotages" for `book/sabotages.json`."""
    ending: str
    """The end of the file names of the lists, such as ".lessons.yml"."""
    form: type[E]
    """The NamedTuple of an entry, for `parse`."""
    check: Callable[[NotebookNode, E], object]
    """A function that raises BookError if an entry does not fit a chapter."""

    def path(self, book: Book, name: str) -> Path:
        """Return the path of the list of a chapter."""
        return book.source(name).with_suffix(self.ending)

    def nodes(self, book: Book, name: str) -> list[yaml.Node]:
        """Return the entries of a chapter's list as YAML nodes; [] if the chapter has no list."""
        file = self.path(book, name)
        if not file.exists():
            return []
        try:
            root = yaml.compose(file.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            reason = " ".join(str(error).split())
            raise BookError(f"{book.relative(file)}: {reason}: put these lines right, they are YAML") from error
        if not isinstance(root, yaml.SequenceNode | None):
            first = next(iter(get_type_hints(self.form)))
            raise BookError(f"{book.relative(file)}: it is no list: begin each entry with `- {first}:`")
        return root.value if root else []

    def listed(self, book: Book, name: str) -> list[E]:
        """Return the entries of a chapter's list; raise BookError if the list cannot be read."""
        return [parse(node, self.form) for node in self.nodes(book, name)]

    def faults(self, book: Book, name: str) -> list[Fault]:
        """Return the faults of a chapter's list; raise BookError if the list or the chapter cannot be read."""
        notebook, faults = as_it_stands(book, name), []
        for number, node in enumerate(self.nodes(book, name), start=1):
            try:
                self.check(notebook, parse(node, self.form))
            except BookError as error:
                file, line = book.relative(self.path(book, name)), node.start_mark.line + 1
                faults.append(Fault(file, line, f"entry {number}: {error}"))
        return faults

    def digest(self, book: Book, name: str) -> str:
        """Return a hash of a chapter's list and code, without the cells that install what Colab and Kaggle lack.

        Stored results are current only if their hash equals it.
        """
        notebook = copy(as_it_stands(book, name))
        notebook.cells = [cell for cell in notebook.cells if not is_setup(book, cell)]
        return hashlib.sha256((code_digest(notebook) + repr(self.listed(book, name))).encode()).hexdigest()[:16]

    def results_path(self, book: Book) -> Path:
        """Return the path of the stored results."""
        return book.root / "book" / f"{self.name}.json"

    def results(self, book: Book) -> dict[str, Result]:
        """Return the stored results, {chapter: result}, including those of chapters that have changed since."""
        file = self.results_path(book)
        stored = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        return {
            name: Result(data.pop("digest"), data.pop("date"), data.pop("jax"), data) for name, data in stored.items()
        }

    def store(self, book: Book, new: dict[str, Result]) -> None:
        """Store results, {chapter: result}; keep those of other chapters of the book."""
        known = self.results(book) | new
        found = {name: known[name]._asdict() for name in book.chapters if name in known}
        kept = {name: data | data.pop("counts") for name, data in found.items()}
        files.write(self.results_path(book), json.dumps(kept, indent=2) + "\n")
