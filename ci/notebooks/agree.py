"""Compare what must agree: a chapter with its notebook, and the notebooks of all languages in code and outputs.

Each check yields texts that say where two notebooks disagree.
"""

import itertools
import json
from collections.abc import Iterator

from nbformat import NotebookNode

from ci.execution.cache import code_cells
from ci.notebooks import cells
from ci.notebooks.chapter_text import PAIRED


def content(cell: NotebookNode) -> tuple[str, dict]:
    """Return what jupytext pairs of a cell besides its source."""
    return cell.cell_type, {key: cell.metadata[key] for key in PAIRED if key in cell.metadata}


def first_line(name: str, expected: str, got: str, what: str) -> Iterator[str]:
    """Yield the first line in which two texts differ, if any."""
    if expected == got:
        return
    lines = itertools.zip_longest(expected.split("\n"), got.split("\n"), fillvalue="(no such line)")
    number, pair = next((number, pair) for number, pair in enumerate(lines, start=1) if pair[0] != pair[1])
    yield "{}, line {}: {}\n  should: {}\n  is:     {}".format(name, number, what, *pair)


def unpaired(chapter: NotebookNode, notebook: NotebookNode) -> Iterator[str]:
    """Compare a chapter with the notebook of the source language: number, order, kind, tags and text of the cells."""
    if len(chapter.cells) != len(notebook.cells):
        sizes = f"{len(chapter.cells)} cells in the chapter, {len(notebook.cells)} in the notebook"
        yield f"{sizes}: run ./ci/book.sh refresh"
    for name, cell, pair in zip(cells.names(chapter), chapter.cells, notebook.cells, strict=False):
        what = "the notebook differs from the chapter: run ./ci/book.sh refresh"
        yield from first_line(name, cell.source, pair.source, what)
        if content(cell) != content(pair):
            yield f"{name}: kind or tags differ from the chapter's: run ./ci/book.sh refresh"


def as_json(cell: NotebookNode) -> str:
    """Return a cell as JSON, sorted by key."""
    return json.dumps(cell, ensure_ascii=False, indent=1, sort_keys=True)


def out_of_order(notebook: NotebookNode) -> Iterator[str]:
    """Look for execution counts other than 1, 2, 3 and so on."""
    for count, cell in enumerate(code_cells(notebook), start=1):
        stored = {cell.execution_count, *(output.get("execution_count", count) for output in cell.outputs)}
        if stored != {count}:
            yield f"code cell {count}: execution count {stored - {count}} instead of {count}: run ./ci/book.sh refresh"


def untranslatable(source: NotebookNode, translated: NotebookNode) -> Iterator[str]:
    """Compare what no translation may change: number and order of the cells, code, outputs."""
    if len(source.cells) != len(translated.cells):
        yield f"{len(source.cells)} cells in the source, {len(translated.cells)} here: run ./ci/book.sh refresh"
    for name, cell, other in zip(cells.names(source), source.cells, translated.cells, strict=False):
        if cell.cell_type != other.cell_type:
            yield f"{name}: {other.cell_type} instead of {cell.cell_type}: run ./ci/book.sh refresh"
        elif cell.cell_type == "code":
            yield from first_line(name, cell.source, other.source, "the code is not that of the source")
            what = "not the cell of the source; one of the two was edited by hand"
            yield from first_line(name, as_json(cell), as_json(other), what)
