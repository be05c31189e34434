"""A chapter and its notebook: where they are, what they say, and what they said when they agreed."""

import json
from dataclasses import dataclass

import nbformat
import yaml
from jupytext.myst import MystMetadataParsingError

from ci.book import Book, files, git
from ci.notebooks.pairing import chapter_text
from ci.notebooks.pairing.decide import CHAPTER, NOTEBOOK

REMEMBERED = 100  # states of a pair
UNREADABLE = (
    *(ValueError, KeyError, AttributeError, TypeError, nbformat.ValidationError),
    *(yaml.YAMLError, MystMetadataParsingError, UnboundLocalError, RecursionError),
)


def as_notebook(text):
    """Reads the text of a notebook; None if it is none, as after a merge that failed."""
    try:
        notebook = nbformat.reads(text, as_version=4)
        chapter_text.digest(notebook)  # all that will be read of it
        return notebook
    except UNREADABLE:
        return None


def as_version(side, text):
    """Reads the text of either of the two."""
    return chapter_text.read(text) if side == CHAPTER else as_notebook(text)


@dataclass(frozen=True)
class Pair:
    """A chapter and its notebook in the source language."""

    book: Book
    name: str

    @property
    def paths(self):
        return {
            CHAPTER: self.book.source(self.name),
            NOTEBOOK: self.book.notebook(self.name, self.book.source_language),
        }

    def shown(self, side):
        return self.book.relative(self.paths[side])

    def read(self, side):
        """What one of the two holds now; None for a notebook that is missing or cannot be read."""
        path = self.paths[side]
        if not path.exists():
            return None
        errors = "replace" if side == NOTEBOOK else "strict"  # what is not UTF-8 is no notebook either
        return as_version(side, path.read_text(encoding="utf-8", errors=errors))

    def committed(self, side, commit="HEAD"):
        """The state of one of the two in a commit, or None."""
        text = git.committed(self.book, self.paths[side], commit)
        try:
            found = None if text is None else as_version(side, text)
        except UNREADABLE:  # a chapter that was broken then
            return None
        return found and chapter_text.digest(found)

    def agreed(self):
        """The state in the newest commit in which the two agree, or None."""
        for commit in ("HEAD", *git.commits(self.book, *self.paths.values())):
            state = self.committed(CHAPTER, commit)
            if state and state == self.committed(NOTEBOOK, commit):
                return state
        return None

    def stamp(self, side):
        """What changes whenever a file is written: its time, and its size."""
        found = self.paths[side].stat()
        return [found.st_mtime_ns, found.st_size]

    def touched(self, known):
        """Which of the two have been written since their stamps were taken, the one written last at the end."""
        if CHAPTER not in known:
            return []
        return sorted((side for side in self.paths if self.stamp(side) != known[side]), key=self.stamp)


def state(book):
    """Where it is kept how each pair stood when the two were last brought together."""
    return book.built("paired.json")


def remembered(book):
    """{name: {"states": [...], "chapter": stamp, "notebook": stamp}}, as far as it is known."""
    try:
        known = json.loads(state(book).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {name: entry for name, entry in known.items() if isinstance(entry, dict)}


def note(book, pairs):
    """Notes how pairs stand now that they are brought together, besides what is known of others.

    Args:
      pairs: {pair: the side whose edits the other one is still to get, or None}
    """
    known = remembered(book)
    for pair, ahead in pairs.items():
        known[pair.name] = standing(pair, ahead, known.get(pair.name, {}).get("states", []))
    files.write(state(book), json.dumps(known, indent=1))


def standing(pair, ahead, states):
    """What is noted of a pair: the states it has had, the newest at the end, and when its files were written."""
    now = chapter_text.digest(pair.read(NOTEBOOK))
    states = [*(state for state in states if state != now), now][-REMEMBERED:]
    return {"states": states, **{side: None if side == ahead else pair.stamp(side) for side in pair.paths}}


def remember(book):
    """Notes that all pairs agree now."""
    note(book, {Pair(book, name): None for name in book.chapters})
