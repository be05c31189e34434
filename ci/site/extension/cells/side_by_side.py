"""Show adjacent cells that belong together as two columns, with the lines and words in which they differ marked.

A pair is two cells, one after the other, whose tags are one of `PAIRS`. Their outputs stay below each of them. In a
notebook, which has no columns, the cells follow each other, each with a comment that says which it is.
"""

from collections.abc import Iterator, Sequence
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
}


class Changes(NamedTuple):
    """What a text of code has that another has not: the numbers of lines, from 1, and words."""

    lines: list[int]
    words: list[Mark]


def side_of(node: nodes.Node | None) -> str:
    """Return the tag that makes a node a cell of a pair, or ""."""
    classes = node.get("classes", []) if isinstance(node, nodes.container) else []
    return next((tag for tag in LABELS if "cell" in classes and f"tag_{tag}" in classes), "")


def code(cell: nodes.Element) -> nodes.literal_block:
    """Return the block with the code of a cell."""
    return next(iter(cell.findall(nodes.literal_block)))


def without_title(lines: list[str]) -> list[str]:
    """Empty the comment that opens a cell: it says which of the two the cell is, so it always differs."""
    return ["#", *lines[1:]] if lines and lines[0].startswith("# ") else lines


def differing(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the bounds of lines, from 0, in which two texts differ: first and last of the left, then of the right.

    Empty lines do not count when lines are matched.
    """
    for kind, a, b, c, d in SequenceMatcher(lambda line: not line, left, right, autojunk=False).get_opcodes():
        if kind != "equal":
            yield a, b, c, d


def changes(left_code: str, right_code: str) -> tuple[Changes, Changes]:
    """Return what is to be marked in each of two texts. Empty lines are not marked."""
    left, right = (without_title(text.splitlines()) for text in (left_code, right_code))
    marks = Changes([], []), Changes([], [])
    for a, b, c, d in differing(left, right):
        marks[0].lines.extend(number + 1 for number in range(a, b) if left[number])
        marks[1].lines.extend(number + 1 for number in range(c, d) if right[number])
        for i, j in counterparts(left[a:b], right[c:d]):
            spans = changed_words(left[a + i], right[c + j])
            for mark, number, words in zip(marks, (a + i + 1, c + j + 1), spans, strict=True):
                mark.words.extend(Mark(number, start, end) for start, end in words)
    return marks


def first_line(cell: nodes.Element) -> str:
    """Return the line that names a cell in a message."""
    return code(cell).astext().partition("\n")[0]


def partner(cell: nodes.container, page: str) -> nodes.container:
    """Return the cell that follows the first of a pair.

    Raises:
      ExtensionError: The next block is another one, so that the pair is incomplete.
    """
    tag = side_of(cell)
    following = cell.next_node(descend=False, siblings=True)
    if not isinstance(following, nodes.container) or side_of(following) != PAIRS[tag]:
        raise ExtensionError(
            f"{page}: the cell that begins with {first_line(cell)!r} is tagged {tag}, "
            f"but the block after it is not a cell tagged {PAIRS[tag]}: add it, or remove the tag"
        )
    return following


def side(cell: nodes.container, label: str, marks: Changes) -> nodes.container:
    """Return one of the two columns."""
    code(cell)["highlight_args"] = code(cell).get("highlight_args", {}) | {
        "hl_lines": marks.lines,
        MARKS: marks.words,
    }
    title = nodes.paragraph("", label, classes=["side-title"])
    return nodes.container("", title, cell, classes=["side", f"side-{side_of(cell)}"])


def join_pairs(app: BookApp, doctree: nodes.document) -> None:
    """Put the two cells of each pair into one container.

    Raises:
      ExtensionError: A cell of a pair stands alone.
    """
    page = app.env.docname
    for cell in list(doctree.findall(lambda node: side_of(node) in PAIRS)):
        following = partner(cell, page)
        parent, place = cell.parent, cell.parent.index(cell)
        del parent[place : place + 2]
        marks = changes(code(cell).astext(), code(following).astext())
        sides = (
            side(one, app.sentences.gettext(LABELS[side_of(one)]), mark)
            for one, mark in zip((cell, following), marks, strict=True)
        )
        parent.insert(place, nodes.container("", *sides, classes=["side-by-side"]))
    for cell in doctree.findall(side_of):
        if "side" not in cell.parent["classes"]:
            raise ExtensionError(
                f"{page}: the cell that begins with {first_line(cell)!r} is tagged {side_of(cell)}, "
                f"but the block before it is not its partner: add it, or remove the tag"
            )


def setup_side_by_side(app: BookApp) -> None:
    """Join the pairs as a page is read."""
    app.connect("doctree-read", join_pairs)
