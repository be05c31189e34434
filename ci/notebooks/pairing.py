"""Synchronise each chapter with its notebook: write the cells of the edited file into the other one.

Jupyter does this when it saves either file (`tool.jupytext` in pyproject.toml). This module is for edits made
elsewhere, in a text editor or in Colab. It compares only the cells: type, source and paired metadata.
"""

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from nbformat import NotebookNode

from ci.book import Book, BookError, UsageError, files
from ci.notebooks import chapter_text
from ci.notebooks.cells import UNREADABLE

BEGIN, END = "<<<<<<< ", ">>>>>>> "  # git writes them around two versions that it could not merge


class Side(StrEnum):
    """One of the two files of a chapter."""

    CHAPTER = "chapter"
    NOTEBOOK = "notebook"


def edited_side(chapter: str, notebook: str, bases: Iterable[str | None]) -> Side | None:
    """Return the side that was edited, given the hashes of the two files, which differ; None if it is not known.

    Args:
      bases: Hashes of earlier states in which the two files agreed. The first base that equals the hash of exactly one
        file decides: the other file was edited.
    """
    for base in bases:
        if (chapter == base) != (notebook == base):
            return Side.NOTEBOOK if chapter == base else Side.CHAPTER
    return None


@dataclass(frozen=True)
class Pair:
    """A chapter and its notebook in the source language."""

    book: Book
    name: str

    def path(self, side: Side) -> Path:
        """Return the path of one of the two files."""
        if side == Side.CHAPTER:
            return self.book.source(self.name)
        return self.book.notebook(self.name, self.book.source_language)

    def shown(self, side: Side) -> str:
        """Return the path of one of the two files, relative to the root of the book, for a message."""
        return self.book.relative(self.path(side))

    def chapter(self) -> str:
        """Return the text of the chapter, with the line ends of the file."""
        return self.path(Side.CHAPTER).read_bytes().decode()

    def notebook(self) -> NotebookNode | None:
        """Read the notebook; return None if it is missing or cannot be read."""
        path = self.path(Side.NOTEBOOK)
        return chapter_text.as_notebook(path.read_text("utf-8", errors="replace")) if path.exists() else None

    def committed(self, side: Side) -> str | None:
        """Return the hash of one of the two files in the last commit; None if it is missing there or unreadable."""
        text = self.book.committed(self.path(side))
        if text is None:
            return None
        try:
            notebook = chapter_text.read(text) if side == Side.CHAPTER else chapter_text.as_notebook(text)
        except UNREADABLE:
            return None
        return chapter_text.digest(notebook) if notebook else None

    def keep(self, side: Side) -> str:
        """Copy a file before it is replaced, unless the last commit has the same cells; return where to find it."""
        notebook = chapter_text.read(self.chapter()) if side == Side.CHAPTER else self.notebook()
        if notebook and chapter_text.digest(notebook) == self.committed(side):
            return "in the last commit"
        return self.book.relative(files.keep(self.book, self.path(side)))


class Step(NamedTuple):
    """What `carry_out` does with a pair."""

    pair: Pair
    side: Side | None
    """The side that was edited, whose cells replace those of the other one; None if they agree."""
    chapter: str | None = None
    """The new text of the chapter; None if it does not change."""
    notebook: str | None = None
    """The new text of the notebook; None if it does not change, or `ci.notebooks.make` writes it."""


def memory(book: Book) -> Path:
    """Return the path of the file with the hashes that the pairs had when they last agreed.

    They tell which file was edited when it is edited again before the first edit is committed.
    """
    return book.built("paired.json")


def remembered(book: Book) -> dict[str, str]:
    """Return {chapter: its hash when it last agreed with its notebook}; {} if nothing is stored."""
    try:
        known = json.loads(memory(book).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def plan(pair: Pair, taken: Side | None, last: str | None) -> Step:
    """Return what to do with a pair.

    Args:
      taken: The side that the user has chosen by `--take`, or None.
      last: The hash of both files when they last agreed, if it is known.

    Raises:
      BookError: It is not known which file was edited, or the notebook cannot be written into a chapter.
    """
    text, notebook = pair.chapter(), pair.notebook()
    if notebook is None:
        if taken == Side.NOTEBOOK:
            raise BookError(f"--take {pair.shown(Side.NOTEBOOK)}: that is not a notebook")
        return Step(pair, Side.CHAPTER)
    chapter = chapter_text.read(text)
    states = chapter_text.digest(chapter), chapter_text.digest(notebook)
    if states[0] == states[1]:
        tidied = chapter_text.without_marks_of_jupyter(text)
        return Step(pair, None, chapter=None if tidied == text else tidied)
    committed = {pair.committed(side) for side in Side}
    side = taken or edited_side(*states, (committed.pop() if len(committed) == 1 else None, last))
    if side is None:
        names = [pair.shown(side) for side in Side]
        raise BookError(
            f"{names[0]} and {names[1]} disagree, and the last commit does not tell which of them to take: run "
            f"./ci/book.sh refresh --take {names[0]} (or --take {names[1]}); the other one is kept in _build/replaced"
        )
    if side == Side.CHAPTER:
        return Step(pair, side, notebook=chapter_text.with_outputs(chapter, notebook))
    chapter_text.refuse_what_no_chapter_holds(notebook, pair.shown(Side.NOTEBOOK))
    return Step(pair, side, chapter=chapter_text.with_cells(text, notebook))


def plans(book: Book, taken: dict[str, Side]) -> list[Step]:
    """Return the `Step` of each pair; raise BookError with a line for each pair for which `plan` fails."""
    steps, refused, last = [], [], remembered(book)
    for name in book.chapters:
        try:
            steps.append(plan(Pair(book, name), taken.get(name), last.get(name)))
        except BookError as error:
            refused.append(str(error))
    if refused:
        raise BookError("\n".join(refused))
    return steps


def carry_out(step: Step) -> None:
    """Write the files of a pair that change, and print which of them was edited and where the other is kept."""
    pair, chapter, notebook = step.pair, step.pair.shown(Side.CHAPTER), step.pair.shown(Side.NOTEBOOK)
    path = pair.path(Side.NOTEBOOK)
    if step.side == Side.NOTEBOOK:
        print(f"{chapter} takes over the edits of {notebook}; as it was: {pair.keep(Side.CHAPTER)}")
    elif step.notebook:
        print(f"{notebook} takes over the edits of {chapter}; as it was: {pair.keep(Side.NOTEBOOK)}")
        files.write(path, step.notebook)
    elif step.side and path.exists():
        print(f"{notebook} is not a notebook and is made again from {chapter}; as it was: {pair.keep(Side.NOTEBOOK)}")
        path.unlink()
    if step.chapter:
        files.write(pair.path(Side.CHAPTER), step.chapter)


def refuse_conflicts(book: Book) -> None:
    """Raise BookError if a page has conflict markers of git."""
    for name in book.pages:
        lines = book.source(name).read_text(encoding="utf-8").splitlines()
        begins = [number for number, line in enumerate(lines, start=1) if line.startswith(BEGIN)]
        if begins and any(line.startswith(END) for line in lines):
            raise BookError(f"{name}.md:{begins[0]}: two versions that git could not merge: make one of them")


def sides(book: Book, take: Iterable[str | Path]) -> dict[str, Side]:
    """Return {chapter: side} for files that the user chose by `--take`; raise UsageError for a file of no pair."""
    pairs = [Pair(book, name) for name in book.chapters]
    known = {pair.path(side).resolve(): (pair.name, side) for pair in pairs for side in Side}
    taken: dict[str, Side] = {}
    for file in take:
        path = (book.root / file).resolve()
        if path not in known:
            shown = os.path.relpath(path, book.root)
            raise UsageError(f"--take {shown}: no chapter, and no notebook in notebooks/{book.source_language}")
        name, side = known[path]
        if taken.setdefault(name, side) != side:
            raise UsageError(f"--take: of {name}.md and its notebook, only one can count")
    return taken


def bring_together(book: Book, take: Iterable[str | Path] = ()) -> None:
    """Synchronise each chapter with its notebook, and store their hashes.

    Args:
      take: Files of which the cells replace those of the other file of the pair in any case.

    Raises:
      BookError: It is not known which file was edited, or a chapter cannot hold the notebook; nothing was changed.
    """
    refuse_conflicts(book)
    for step in plans(book, sides(book, take)):
        carry_out(step)
    agreed = {name: chapter_text.digest(chapter_text.read(Pair(book, name).chapter())) for name in book.chapters}
    files.write(memory(book), json.dumps(agreed, indent=1))


def refuse_edits(book: Book) -> None:
    """Raise BookError if a file was edited after `bring_together`: the edit would be overwritten."""
    for pair in (Pair(book, name) for name in book.chapters):
        notebook = pair.notebook()
        if notebook and chapter_text.digest(notebook) != chapter_text.digest(chapter_text.read(pair.chapter())):
            names = " or ".join(pair.shown(side) for side in Side)
            raise BookError(f"{names} was edited in the meantime: run ./ci/book.sh refresh again")
