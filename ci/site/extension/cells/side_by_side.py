"""Show pairs of adjacent cells as two columns, and mark the lines and words that differ.

A pair is two adjacent cells whose tags are a pair of `PAIRS`. Each column has a cell with its outputs. A notebook has
no columns: there the cells follow each other, and the first line of each is a comment that says which it is.
"""

from difflib import SequenceMatcher
from typing import NamedTuple

from docutils import nodes
from sphinx.errors import ExtensionError

from ci import _
from ci.notebooks.cells import PAIRS
from ci.site.extension.application import BookApp
from ci.site.extension.cells.changed_words import changed_words, counterparts
from ci.site.extension.cells.highlighting import MARKS, Mark

LABELS = {
    "without": _("Without"),
    "with": _("With"),
    "linen": "Linen",
    "nnx": "NNX",
    "pytorch": "PyTorch",
    "jax": "JAX",
    "v0": "Orbax V0",
    "v1": "Orbax V1",
}


class Changes(NamedTuple):
    """What is marked in one of two pieces of code: the numbers of changed lines, from 1, and the changed words."""

    lines: list[int]
    words: list[Mark]


def _side_of(node: nodes.Node | None) -> str:
    """Return the tag of a pair (a key of `LABELS`) that a cell has, or "" if the node is no such cell."""
    classes = node.get("classes", []) if isinstance(node, nodes.container) else []
    return next((tag for tag in LABELS if "cell" in classes and f"tag_{tag}" in classes), "")


def _code(cell: nodes.Element) -> nodes.literal_block:
    return next(iter(cell.findall(nodes.literal_block)))


def _without_title(lines: list[str]) -> list[str]:
    """Replace a comment in the first line by "#": it says which of the two the cell is, so it always differs."""
    return ["#", *lines[1:]] if lines and lines[0].startswith("# ") else lines


def changes(left_code: str, right_code: str) -> tuple[Changes, Changes]:
    """Return the changes to mark in each of two pieces of code. Empty lines are neither matched nor marked."""
    left, right = (_without_title(text.splitlines()) for text in (left_code, right_code))
    marks = Changes([], []), Changes([], [])
    for kind, a, b, c, d in SequenceMatcher(lambda line: not line, left, right, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        marks[0].lines.extend(number + 1 for number in range(a, b) if left[number])
        marks[1].lines.extend(number + 1 for number in range(c, d) if right[number])
        for i, j in counterparts(left[a:b], right[c:d]):
            spans = changed_words(left[a + i], right[c + j])
            for mark, number, words in zip(marks, (a + i + 1, c + j + 1), spans, strict=True):
                mark.words.extend(Mark(number, start, end) for start, end in words)
    return marks


def _incomplete(page: str, cell: nodes.Element, expected: str) -> ExtensionError:
    """Return the error to raise for a cell of a pair that is not beside the other one.

    Args:
      expected: What is wrong with the neighbour, as a clause.
    """
    first_line = _code(cell).astext().partition("\n")[0]
    return ExtensionError(
        f"{page}: the cell that begins with {first_line!r} is tagged {_side_of(cell)}, "
        f"but {expected}: add it, or remove the tag"
    )


def _column(cell: nodes.container, label: str, marks: Changes) -> nodes.container:
    block = _code(cell)
    block["highlight_args"] = block.get("highlight_args", {}) | {"hl_lines": marks.lines, MARKS: marks.words}
    title = nodes.paragraph("", label, classes=["side-title"])
    return nodes.container("", title, cell, classes=["side", f"side-{_side_of(cell)}"])


def _join_pairs(app: BookApp, doctree: nodes.document) -> None:
    """Put the two cells of each pair into one container, and mark their changes.

    Raises:
      ExtensionError: A cell has the tag of a pair, but the cell beside it does not have the other one.
    """
    page = app.env.docname
    for cell in list(doctree.findall(lambda node: _side_of(node) in PAIRS)):
        following = cell.next_node(descend=False, siblings=True)
        if not isinstance(following, nodes.container) or _side_of(following) != PAIRS[_side_of(cell)]:
            raise _incomplete(page, cell, f"the block after it is not a cell tagged {PAIRS[_side_of(cell)]}")
        parent, place = cell.parent, cell.parent.index(cell)
        del parent[place : place + 2]
        pair = cell, following
        marks = changes(*(_code(one).astext() for one in pair))
        labels = (app.sentences.gettext(LABELS[_side_of(one)]) for one in pair)
        parent.insert(place, nodes.container("", *map(_column, pair, labels, marks), classes=["side-by-side"]))
    for cell in doctree.findall(_side_of):
        if "side" not in cell.parent["classes"]:
            raise _incomplete(page, cell, "the block before it is not its partner")


def setup(app: BookApp) -> None:
    """Connect the handler."""
    app.connect("doctree-read", _join_pairs)
