"""Read the trials of a chapter from the list beside it, `NAME.trials.yml`, and store the results of trying them.

A trial changes the code of a chapter. A sabotage removes the cause of something that the chapter claims, and names the
cell whose output must then change. A lesson is a sentence of the page with an expression that must be true, also under
variations of the chapter.
"""

import ast
import hashlib
import io
import json
import tokenize
from collections.abc import Iterable, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import yaml
from nbformat import NotebookNode

from ci.book import Book, BookError, files
from ci.execution.cache import code_cells, code_digest, read
from ci.notebooks.cells import Fault, is_setup
from ci.outputs import compare

E = TypeVar("E")
EARLY = "the cell of {key} stands before the cell of replace: name one that comes later"
ENDING = ".trials.yml"  # of the file names of the lists
WORDS = {"cause", "lesson", "change"}  # keys whose text says in words what is tried, and decides no outcome


class Change(NamedTuple):
    """A replacement of code that occurs once in the chapter."""

    replace: str
    by: str


class Sabotage(NamedTuple):
    """An entry of a list that removes the cause of an output."""

    cause: str
    replace: str
    by: str
    noticed_by: str
    """Code that occurs once in the chapter, in the cell whose output must change."""
    error: str = ""
    """The name of the error that the cell of `noticed_by` must raise; "" if it raises none."""

    def check(self, notebook: NotebookNode) -> None:
        """Raise BookError if the sabotage does not fit a chapter."""
        if vary(deepcopy(code_cells(notebook)), [Change(self.replace, self.by)]) > place(notebook, self):
            raise BookError(EARLY.format(key="noticed_by"))


class Variation(NamedTuple):
    """A change of the chapter that a sceptical reader would try."""

    change: str
    replace: str
    by: str
    also: tuple[Change, ...] = ()

    @property
    def changes(self) -> tuple[Change, ...]:
        """All replacements of the variation."""
        return Change(self.replace, self.by), *self.also


class Lesson(NamedTuple):
    """An entry of a list that says what must hold."""

    lesson: str
    shown_by: str
    """Code that occurs once in the chapter, in the cell after which the lesson must hold."""
    holds: str
    """A Python expression, over names of the chapter, that must be true."""
    under: tuple[Variation, ...]

    def check(self, notebook: NotebookNode) -> None:
        """Raise BookError if the page lacks the sentence, or the expression or the variations are not valid."""
        prose = [one_line(cell.source) for cell in notebook.cells if cell.cell_type == "markdown"]
        sentence = one_line(self.lesson)
        if not sentence or not any(sentence in text for text in prose):
            raise BookError(f"lesson: the page does not say {sentence!r}: copy a sentence, with marks such as *")
        try:
            ast.parse(self.holds, mode="eval")
        except SyntaxError as error:
            raise BookError(f"holds: {self.holds!r} is no expression of Python ({error.msg}): write one") from error
        shown = place(notebook, self)
        if not self.under:
            raise BookError("under: there is no variation: write one with change, replace, by")
        for variation in self.under:
            try:
                if vary(deepcopy(code_cells(notebook)), variation.changes) > shown:
                    raise BookError(EARLY.format(key="shown_by"))
            except BookError as error:
                raise BookError(f"{variation.change}: {error}") from error


Trial = Sabotage | Lesson
PARTS: dict[str, Any] = {"under": Variation, "also": Change}  # {key whose value is a list: the form of its entries}


class Trials(NamedTuple):
    """The entries of a chapter's list."""

    sabotages: list[Sabotage]
    lessons: list[Lesson]

    def variations(self) -> dict[tuple[Change, ...], dict[Lesson, str]]:
        """Return {changes: {lesson that must hold under them: the changes in words}}, one item for each execution."""
        found: dict[tuple[Change, ...], dict[Lesson, str]] = {}
        for lesson in self.lessons:
            for variation in lesson.under:
                found.setdefault(variation.changes, {})[lesson] = variation.change
        return found


class Result(NamedTuple):
    """The counts of a chapter's list. Without a date it was not tried, so nothing was noticed and nothing held."""

    sabotages: int
    noticed: int
    lessons: int
    variations: int
    held: int
    date: str = ""
    jax: str = ""
    digest: str = ""
    """The `digest` of the chapter when its list was tried."""

    @property
    def not_tried(self) -> int:
        """The number of entries that were not tried: all or none."""
        return 0 if self.date else self.sabotages + self.lessons


def one_line(text: str) -> str:
    """Return a text with a space for each line break and run of spaces."""
    return " ".join(text.split())


def find(cells: Sequence[NotebookNode], key: str, text: str) -> int:
    """Return the index of the cell that has a text, named `key` in messages; raise BookError if it is not unique."""
    counts = [cell.source.count(text) if text else 0 for cell in cells]
    if not any(counts):
        raise BookError(f"{key}: the code of the chapter does not have {text!r}: copy code of the chapter")
    if sum(counts) > 1:
        more = f"has {text!r} {sum(counts)} times: copy more of the code around it, until it is unique"
        raise BookError(f"{key}: the code of the chapter {more}")
    return counts.index(1)


def place(notebook: NotebookNode, trial: Trial) -> int:
    """Return the index of the code cell after which a trial is judged; raise BookError if there is not exactly one."""
    key = "noticed_by" if isinstance(trial, Sabotage) else "shown_by"
    return find(code_cells(notebook), key, getattr(trial, key))


def vary(cells: Sequence[NotebookNode], changes: Iterable[Change]) -> int:
    """Apply changes to cells, in order; return the largest index of a changed cell, -1 for none; raise as `find`."""
    numbers = [-1]
    for change in changes:
        numbers.append(find(cells, "replace", change.replace))
        cell = cells[numbers[-1]]
        cell.source = cell.source.replace(change.replace, change.by)
    return max(numbers)


def parse(node: yaml.Node, form: type[E]) -> E:
    """Convert a YAML mapping to a NamedTuple, whose fields are texts, or tuples of other such NamedTuples (`PARTS`).

    Raises:
      BookError: A key is missing, unknown or repeated, or its value is a list in place of a text or the reverse.
    """
    fields, optional = form._fields, form._field_defaults  # type: ignore[attr-defined]
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    found, needed = {key.value: value for key, value in pairs}, [key for key in fields if key not in optional]
    fits = all(isinstance(found[key], yaml.SequenceNode if key in PARTS else yaml.ScalarNode) for key in found)
    if len(found) != len(pairs) or not {*needed} <= {*found} <= {*fields} or not fits:
        more = f", and may have {', '.join(optional)}" if optional else ""
        but = "".join(f" ({key}: a list)" for key in fields if key in PARTS)
        raise BookError(f"it needs {', '.join(needed)}{more}, each with one text{but}: write code in quotes")
    parts = {key: [parse(part, PARTS[key]) for part in found[key].value] for key in found if key in PARTS}
    return form(**{key: tuple(parts[key]) if key in parts else found[key].value for key in found})


def entry(node: yaml.Node) -> Trial:
    """Convert an entry of a list; it is a sabotage or a lesson, whichever has more of its keys."""
    keys = {key.value for key, _value in node.value} if isinstance(node, yaml.MappingNode) else set()
    forms: list[type[Trial]] = [Sabotage, Lesson]
    return parse(node, max(forms, key=lambda form: len(keys.intersection(form._fields))))


def path(book: Book, name: str) -> Path:
    """Return the path of the list of a chapter."""
    return book.source(name).with_suffix(ENDING)


def nodes(book: Book, name: str) -> list[yaml.Node]:
    """Return the entries of a chapter's list as YAML nodes; [] if the chapter has no list."""
    file = path(book, name)
    if not file.exists():
        return []
    try:
        root = yaml.compose(file.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        said = f"{one_line(str(error))}: put these lines right, they are YAML"
        raise BookError(f"{book.relative(file)}: {said}") from error
    if not isinstance(root, yaml.SequenceNode | None):
        raise BookError(f"{book.relative(file)}: it is no list: begin each entry with `- cause:` or `- lesson:`")
    return root.value if root else []


def listed(book: Book, name: str) -> Trials:
    """Return the entries of a chapter's list; raise BookError if the list cannot be read."""
    found = list(map(entry, nodes(book, name)))
    lessons = [one for one in found if isinstance(one, Lesson)]
    return Trials([one for one in found if isinstance(one, Sabotage)], lessons)


def faults(book: Book, name: str) -> list[Fault]:
    """Return the faults of a chapter's list; raise BookError if the list or the chapter cannot be read."""
    notebook, found = read(book, name), []
    for number, node in enumerate(nodes(book, name), start=1):
        try:
            entry(node).check(notebook)
        except BookError as error:
            found.append(Fault(book.relative(path(book, name)), node.start_mark.line + 1, f"entry {number}: {error}"))
    return found


def without_comments(code: str) -> str:
    """Return code without comments and blank lines; unchanged if Python cannot split it into tokens, as a fragment."""
    lines, blank = code.split("\n"), set()
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            row, column = token.start[0] - 1, token.start[1]
            if token.type == tokenize.COMMENT:
                lines[row] = lines[row][:column].rstrip()
            elif token.type == tokenize.NL and not lines[row].strip():
                blank.add(row)
    except (tokenize.TokenError, SyntaxError):
        return code
    return "\n".join(line for row, line in enumerate(lines) if row not in blank).strip("\n")


def essence(node: yaml.Node) -> Any:
    """Return what decides the outcome of the entries of a list: all except `WORDS` and the comments in code."""
    if isinstance(node, yaml.MappingNode):
        return [(key.value, essence(value)) for key, value in node.value if key.value not in WORDS]
    return without_comments(node.value) if isinstance(node, yaml.ScalarNode) else list(map(essence, node.value))


def digest(book: Book, name: str) -> str:
    """Return a hash of a chapter's list and code: a stored result is current only if its hash equals it.

    What decides no outcome does not count: prose, comments, and cells that install what Colab and Kaggle lack.
    """
    notebook = read(book, name)
    cells = [cell for cell in code_cells(notebook) if not is_setup(book, cell)]
    notebook.cells = [NotebookNode(cell, source=without_comments(cell.source)) for cell in cells]
    tolerances = [compare.tolerance(cell.metadata) for cell in cells]
    content = code_digest(notebook) + repr((tolerances, list(map(essence, nodes(book, name)))))
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def results_path(book: Book) -> Path:
    """Return the path of the stored results."""
    return book.root / "book" / "trials.json"


def results(book: Book) -> dict[str, Result]:
    """Return the stored results, {chapter: result}, also of changed chapters; raise BookError if they are damaged."""
    file = results_path(book)
    try:
        stored = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        return {name: Result(**data) for name, data in stored.items()}
    except (ValueError, TypeError, AttributeError) as error:  # such as conflict markers of git
        name = book.relative(file)
        raise BookError(f"{name}: {error}: put it right, or run git checkout HEAD {name}") from error


def store(book: Book, name: str, result: Result) -> None:
    """Store the result of a chapter; keep those of other chapters of the book."""
    known = results(book) | {name: result}
    kept = {name: known[name]._asdict() for name in book.chapters if name in known}
    files.write(results_path(book), json.dumps(kept, indent=2) + "\n")


def state(book: Book, name: str) -> Result:
    """Return the stored result of a chapter if it is current, or else one without a date."""
    trials, result = listed(book, name), results(book).get(name)
    if result and result.digest == digest(book, name):
        return result
    return Result(len(trials.sabotages), 0, len(trials.lessons), len(trials.variations()), 0)
