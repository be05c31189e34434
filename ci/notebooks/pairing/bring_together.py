"""Brings each chapter and its notebook together: the one that was edited is taken over into the other."""

import os
from dataclasses import dataclass

from ci.book import BookError, UsageError, files
from ci.notebooks.pairing import chapter_text
from ci.notebooks.pairing.decide import CHAPTER, NOTEBOOK, Undecided, decide
from ci.notebooks.pairing.pair import Pair, note, remembered

BEGIN, END = "<<<<<<< ", ">>>>>>> "  # what git writes around two versions that it could not merge


def edited(book, name):
    """Which of the two was edited: CHAPTER, NOTEBOOK, or None if they agree.

    Raises:
      BookError: the author has to say which one counts.
    """
    pair = Pair(book, name)
    notebook = pair.read(NOTEBOOK)
    if notebook is None:
        return CHAPTER
    now = {CHAPTER: chapter_text.digest(pair.read(CHAPTER)), NOTEBOOK: chapter_text.digest(notebook)}
    if now[CHAPTER] == now[NOTEBOOK]:
        return None
    known = remembered(book).get(name, {})
    clean = all(now[side] == pair.committed(side) for side in now)
    try:
        return decide(*now.values(), pair.agreed(), known.get("states", ()), pair.touched(known), clean)
    except Undecided as why:
        raise BookError(undecided(pair, why)) from why


def undecided(pair, why):
    """Says why it is not certain which of the two counts, and how to go on."""
    chapter, notebook = pair.shown(CHAPTER), pair.shown(NOTEBOOK)
    return (
        f"{chapter} and {notebook} {why}: make them agree by hand, or say which one counts: "
        f"./ci/book.sh refresh --take {chapter} (or --take {notebook}); the other one is kept in _build/replaced"
    )


def refuse_conflicts(book):
    """Raises a `BookError` for a page that git could not merge."""
    for name in book.pages:
        lines = book.source(name).read_text(encoding="utf-8").splitlines()
        begins = [number for number, line in enumerate(lines, start=1) if line.startswith(BEGIN)]
        if begins and any(line.startswith(END) for line in lines):
            raise BookError(f"{name}.md:{begins[0]}: two versions that git could not merge: make one of them")


def sides(book, take):
    """Returns {chapter: side} for files that are to count, or raises a `BookError`."""
    pairs = [Pair(book, name) for name in book.chapters]
    known = {path.resolve(): (pair.name, side) for pair in pairs for side, path in pair.paths.items()}
    taken = {}
    for file in take:
        path = (book.root / file).resolve()
        name, side = known.get(path, (None, None))
        if name is None:
            shown = os.path.relpath(path, book.root)
            raise UsageError(f"--take {shown}: no chapter, and no notebook in notebooks/{book.source_language}")
        if taken.setdefault(name, side) != side:
            raise UsageError(f"--take: of {name}.md and its notebook, only one can count")
    return taken


@dataclass(frozen=True)
class Step:
    """What is to be done with a pair: which side counts, None if they agree; and the new text of the chapter."""

    pair: Pair
    side: str | None
    text: str = ""


def plan(book, name, taken):
    """Decides what to do with a pair; raises a `BookError` if that is not certain, or not possible."""
    pair = Pair(book, name)
    notebook = pair.read(NOTEBOOK)
    if notebook is None and taken.get(name) == NOTEBOOK:
        raise BookError(f"--take {pair.shown(NOTEBOOK)}: that is not a notebook")
    side = taken.get(name) or edited(book, name)
    if side != NOTEBOOK:
        return Step(pair, side)
    chapter_text.refuse_what_no_chapter_holds(notebook, pair.shown(NOTEBOOK))
    before = pair.paths[CHAPTER].read_bytes().decode()
    return Step(pair, side, chapter_text.with_edits(before, notebook))


def plans(book, taken):
    """Plans all pairs before anything is written; raises one `BookError` with all that is in the way."""
    steps, refused = [], []
    for name in book.chapters:
        try:
            steps.append(plan(book, name, taken))
        except BookError as error:
            refused.append(str(error))
    if refused:
        raise BookError("\n".join(refused))
    return steps


def kept(pair, side):
    """Keeps a copy of the side that is replaced, unless git has what it says; returns where it is."""
    now = pair.read(side)
    if now is not None and chapter_text.digest(now) == pair.committed(side):
        return "in the last commit"
    return pair.book.relative(files.keep(pair.book, pair.paths[side]))


def take_over(step):
    """Takes over what was edited: at once into a chapter; into a notebook, later, with the outputs of the chapter."""
    pair, chapter, notebook = step.pair, step.pair.shown(CHAPTER), step.pair.shown(NOTEBOOK)
    if step.side == NOTEBOOK:
        print(f"{chapter} takes over the edits of {notebook}; as it was: {kept(pair, CHAPTER)}")
        files.write(pair.paths[CHAPTER], step.text)
    elif pair.read(NOTEBOOK) is not None:
        print(f"{notebook} takes over the edits of {chapter}; as it was: {kept(pair, NOTEBOOK)}")
    elif pair.paths[NOTEBOOK].exists():
        print(f"{notebook} is not a notebook and is made again from {chapter}; as it was: {kept(pair, NOTEBOOK)}")
        pair.paths[NOTEBOOK].unlink()


def bring_together(book, take=()):
    """Takes over what was edited, of each pair into the other one.

    Args:
      take: files that count, whatever else would be decided.

    Raises:
      BookError: it is not certain which of two counts, or a notebook holds what no chapter can; nothing was changed.
    """
    refuse_conflicts(book)
    steps = plans(book, sides(book, take))
    for step in steps:
        if step.side:
            take_over(step)
    # A notebook whose chapter is ahead counts as left behind from now on, whatever becomes of the execution.
    ahead = {step.pair: CHAPTER if step.side == CHAPTER else None for step in steps}
    note(book, {pair: side for pair, side in ahead.items() if pair.read(NOTEBOOK)})


def refuse_edits(book):
    """Raises a `BookError` if a notebook was edited after the pairs were brought together: it would be overwritten."""
    for name in book.chapters:
        if edited(book, name) == NOTEBOOK:
            path = Pair(book, name).shown(NOTEBOOK)
            raise BookError(f"{path} was edited in the meantime: run ./ci/book.sh refresh again")
