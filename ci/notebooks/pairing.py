"""Synchronise each chapter with its notebook: write the cells of the edited file into the other one.

Jupyter does this when it saves either file (`tool.jupytext` in pyproject.toml). This module is for edits made
elsewhere, in a text editor or in Colab. `jupytext --sync` takes the newer file, which is wrong after git has written
both; here the last commit tells which one was edited. Only the cells count: type, source and paired metadata.
"""

import json
import os
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

import click

from ci.book import Book, BookError, UsageError, commands, files, here
from ci.execution import saved
from ci.notebooks import chapter_text
from ci.notebooks.cells import UNREADABLE

MEMORY = "paired.json"  # the hashes when pairs last agreed: they tell of an edit after one that is not committed
BEGIN, END = "<<<<<<< ", ">>>>>>> "  # git writes them around two versions that it could not merge


class Pair(NamedTuple):
    """The paths of a chapter and of its notebook in the source language."""

    chapter: Path
    notebook: Path


class Step(NamedTuple):
    """What `carry_out` does with a pair: the file that is written takes over the cells of the edited one."""

    edited: Path | None
    """None if they agree."""
    path: Path
    text: str | None
    """None if it does not change, or `ci.notebooks.make` writes it."""


def pairs(book: Book) -> dict[str, Pair]:
    """Return {chapter: its `Pair`}."""
    return {name: Pair(book.source(name), book.notebook(name, book.source_language)) for name in book.chapters}


def digest(path: Path, text: str | None = None) -> str | None:
    """Return the hash of the cells of a chapter or a notebook, or of another text of it; None if it cannot be read."""
    try:
        content = path.read_bytes() if text is None else text.encode()
        notebook = chapter_text.read(content.decode()) if path.suffix == ".md" else saved.parse(content)
    except (FileNotFoundError, BookError, *UNREADABLE):
        return None
    return chapter_text.digest(notebook)


def edited_file(pair: Pair, states: tuple[str, str], bases: Iterable[str | None]) -> Path | None:
    """Return the file that was edited, given the hashes of the two, which differ; None if it is not known.

    `bases` are hashes of earlier states in which the two agreed: the first that one of them still has tells the other.
    """
    known = next((states.index(base) for base in bases if base in states), None)
    return None if known is None else pair[1 - known]


def remembered(book: Book) -> dict[str, str]:
    """Return {chapter: its hash when it last agreed with its notebook}; {} if nothing is stored."""
    try:
        known = json.loads(book.built(MEMORY).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def plan(book: Book, pair: Pair, taken: Collection[Path], last: str | None) -> Step:
    """Return what to do with a pair, given the hash of both files when they last agreed, if it is known.

    Raises:
      BookError: It is not known which file was edited, or the notebook cannot be written into a chapter.
    """
    text, names = pair.chapter.read_bytes().decode(), [book.relative(path) for path in pair]
    chapter = chapter_text.read(text)
    try:
        notebook = saved.load(book, pair.notebook)
    except BookError:
        if pair.chapter not in taken:
            raise
        notebook = None
    if notebook is None:
        if pair.notebook in taken:
            raise BookError(f"--take {names[1]}: there is no such notebook, or it is empty")
        return Step(pair.chapter, pair.notebook, None)
    states = chapter_text.digest(chapter), chapter_text.digest(notebook)
    if states[0] == states[1]:
        tidied = chapter_text.without_marks_of_jupyter(text)
        return Step(None, pair.chapter, None if tidied == text else tidied)
    committed = {digest(path, book.committed(path) or "") for path in pair}
    chosen = next((path for path in pair if path in taken), None)
    edited = chosen or edited_file(pair, states, (committed.pop() if len(committed) == 1 else None, last))
    if edited is None:
        raise BookError(
            f"{names[0]} and {names[1]} disagree, and the last commit does not tell which of them to take: run "
            f"./ci/book.sh refresh --take {names[0]} (or --take {names[1]}); the other one is kept in _build/replaced"
        )
    if edited == pair.chapter:
        return Step(edited, pair.notebook, chapter_text.with_outputs(chapter, notebook))
    chapter_text.refuse_what_no_chapter_holds(notebook, names[1])
    return Step(edited, pair.chapter, chapter_text.with_cells(text, notebook))


def carry_out(book: Book, step: Step) -> None:
    """Write the file of a pair that changes, and print which one was edited and where the other is kept."""
    if step.edited and step.path.exists():
        changed, edited, kept = book.relative(step.path), book.relative(step.edited), keep(book, step.path)
        if step.text is None:
            print(f"{changed} is not a notebook and is made again from {edited}; as it was: {kept}")
            step.path.unlink()
        else:
            print(f"{changed} takes over the edits of {edited}; as it was: {kept}")
    if step.text is not None:
        files.write(step.path, step.text)


def keep(book: Book, path: Path) -> str:
    """Copy a file before it is replaced, unless the last commit has the same cells; return where to find it."""
    state = digest(path)
    if state and state == digest(path, book.committed(path) or ""):
        return "in the last commit"
    return book.relative(files.keep(book, path))


def refuse_conflicts(book: Book) -> None:
    """Raise BookError if a page has conflict markers of git."""
    for name in book.pages:
        lines = book.source(name).read_text(encoding="utf-8").splitlines()
        begins = [number for number, line in enumerate(lines, start=1) if line.startswith(BEGIN)]
        if begins and any(line.startswith(END) for line in lines):
            raise BookError(f"{name}.md:{begins[0]}: two versions that git could not merge: make one of them")


def chosen_files(book: Book, take: Iterable[str | Path]) -> set[Path]:
    """Return the paths that the user chose by `--take`; raise UsageError for a file of no pair, or both of one."""
    taken = {(book.root / file).resolve(): book.root / file for file in take}
    known = {path.resolve(): (path, pair) for pair in pairs(book).values() for path in pair}
    for path in taken:
        if path not in known:
            shown = os.path.relpath(path, book.root)
            raise UsageError(f"--take {shown}: no chapter, and no notebook in notebooks/{book.source_language}")
        pair = known[path][1]
        if all(other.resolve() in taken for other in pair):
            raise UsageError(f"--take: of {book.relative(pair.chapter)} and its notebook, only one can count")
    return {known[path][0] for path in taken}


def bring_together(book: Book, take: Iterable[str | Path] = ()) -> None:
    """Synchronise each chapter with its notebook, and store their hashes.

    The cells of the files `take` replace those of the other file of the pair in any case.

    Raises:
      BookError: It is not known which file was edited, or a chapter cannot hold the notebook; nothing was changed.
    """
    refuse_conflicts(book)
    taken, last, steps, refused = chosen_files(book, take), remembered(book), [], []
    for name, pair in pairs(book).items():
        try:
            steps.append(plan(book, pair, taken, last.get(name)))
        except BookError as error:
            refused.append(str(error))
    if refused:
        raise BookError("\n".join(refused))
    for step in steps:
        carry_out(book, step)
    agreed = {name: digest(pair.chapter) for name, pair in pairs(book).items()}
    files.write(book.built(MEMORY), json.dumps(agreed, indent=1))


def refuse_edits(book: Book) -> None:
    """Raise BookError if a chapter and its notebook differ, such as by an edit that would be overwritten."""
    for pair in pairs(book).values():
        state = digest(pair.notebook)
        if state and state != digest(pair.chapter):
            names = " and ".join(map(book.relative, pair))
            raise BookError(f"{names} differ, since one of them was edited: run ./ci/book.sh refresh")


if __name__ == "__main__":
    sys.exit(commands.run(click.Command("pairing", callback=lambda: refuse_edits(here())), [], here()))
