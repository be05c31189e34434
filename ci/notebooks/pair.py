"""Decides which of a chapter and its notebook was edited, so that jupytext takes over that one into the other.

jupytext itself goes by the times of the files, and would drop the edit in the older one without a word.
"""

import hashlib
import json
import os
import subprocess

import jupytext
import nbformat

from ci.book import BookError, here
from ci.errors import reported


def digest(notebook):
    """A digest of what jupytext pairs: the sources of the cells, their tags and figure descriptions."""
    cells = [
        (cell.cell_type, cell.source, {key: cell.metadata[key] for key in ("mystnb", "tags") if key in cell.metadata})
        for cell in notebook.cells
    ]
    return hashlib.sha256(json.dumps(cells, sort_keys=True).encode()).hexdigest()


def state(book):
    """Where the digest of each pair is kept, as of when the two were last brought together."""
    return book.root / "_build" / "paired.json"


def remember(book):
    """Notes that all pairs agree now."""
    digests = {name: digest(jupytext.read(book.source(name))) for name in book.chapters}
    state(book).parent.mkdir(exist_ok=True)
    state(book).write_text(json.dumps(digests, indent=1), encoding="utf-8")


def last_agreed(book, name):
    """The digest of a pair when it was last brought together here, else in the last commit, else None."""
    known = json.loads(state(book).read_text(encoding="utf-8")) if state(book).exists() else {}
    if name in known:
        return known[name]
    path = book.relative(book.notebook(name, book.source_language))
    shown = subprocess.run(["git", "show", f"HEAD:./{path}"], cwd=book.root, capture_output=True, text=True)
    return digest(nbformat.reads(shown.stdout, as_version=4)) if shown.returncode == 0 else None


def edited(book, name):
    """Returns the path of the one that was edited, or None if the two agree or nothing is known of before.

    Raises:
      BookError: both were edited, in different ways.
    """
    chapter, notebook = book.source(name), book.notebook(name, book.source_language)
    if not notebook.exists():
        return chapter
    before = last_agreed(book, name)
    ours, theirs = digest(jupytext.read(chapter)), digest(nbformat.read(notebook, as_version=4))
    if ours == theirs or before is None:
        return None
    if before not in (ours, theirs):
        raise BookError(
            f"{book.relative(chapter)} and {book.relative(notebook)} were both edited: copy the changes of one into "
            "the other by hand, or undo those of one (git restore), and run again"
        )
    return notebook if ours == before else chapter


def bring_together(book):
    """Takes over each edited chapter into its notebook, and each edited notebook into its chapter."""
    for name in book.chapters:
        if path := edited(book, name):
            os.utime(path)  # the newer one wins
    subprocess.run(["jupytext", "--quiet", "--sync", *map(book.source, book.chapters)], check=True)
