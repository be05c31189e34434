"""Show pairs of adjacent cells as two columns, and mark the lines and words that differ.

A pair is two adjacent cells whose tags are a pair of `PAIRS`. Each column has a cell with its outputs. A notebook has
no columns: there the cells follow each other, and the first line of each is a comment that says which it is.

A line is compared with the most similar line of the other side. A line without a similar one is marked as a whole, and
no words in it.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import NamedTuple

from docutils import nodes
from sphinx.errors import ExtensionError

from ci import _
from ci.notebooks.cells import PAIRS
from ci.site.extension.application import BookApp
from ci.site.extension.cells.highlighting import MARKS, Mark

LABELS = {
    "without": _("Without"),
    "with": _("With"),
    "linen": "Linen",
    "nnx": "NNX",
    "pytorch": "PyTorch",
    "jax": "JAX",
}
LABELS |= {"v0": "Orbax V0", "v1": "Orbax V1"}
WORD = re.compile(r"\w+|\s+|.")
NAME = re.compile(r"\w+")
ALIKE = 0.5  # the least similarity at which two lines count as one changed line
GLUE = re.compile(r"[\s.]*")  # text that is marked if it stands between two changed words

Span = tuple[int, int]


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


@cache
def _resemblance(left: str, right: str) -> float:
    """Return the similarity of two lines, from 0 to 1; only names and numbers count, as all code has similar signs."""
    names = NAME.findall(left), NAME.findall(right)
    return SequenceMatcher(None, *names, autojunk=False).ratio() if all(names) else 0


def counterparts(left: Sequence[str], right: Sequence[str], at: Span = (0, 0)) -> Iterator[Span]:
    """Yield (left index, right index) for the pairs of similar lines, in ascending order.

    The most similar lines are paired first, then, recursively, the lines before them and those after them. `at` is
    added to the indices.
    """
    ratios = [(_resemblance(a, b), -i, -j) for i, a in enumerate(left) for j, b in enumerate(right)]
    ratio, i, j = max(ratios, default=(0, 0, 0))
    if ratio < ALIKE:
        return
    i, j = -i, -j
    yield from counterparts(left[:i], right[:j], at)
    yield at[0] + i, at[1] + j
    yield from counterparts(left[i + 1 :], right[j + 1 :], (at[0] + i + 1, at[1] + j + 1))


def _joined(line: str, spans: Sequence[Span]) -> list[Span]:
    """Return the spans of a line, merged if only `GLUE` is between them, and without whitespace at their ends."""
    merged: list[Span] = []
    for start, end in spans:
        if merged and GLUE.fullmatch(line[merged[-1][1] : start]):
            start = merged.pop()[0]
        merged.append((start, end))
    trimmed = [(end - len(line[start:end].lstrip()), start + len(line[start:end].rstrip())) for start, end in merged]
    return [(start, end) for start, end in trimmed if start < end]


def changed_words(left: str, right: str) -> tuple[list[Span], list[Span]]:
    """Return, for each of two lines, the (start, end) of its words that differ from the other line."""
    words = WORD.findall(left), WORD.findall(right)
    spans: tuple[list[Span], list[Span]] = [], []
    for kind, *bounds in SequenceMatcher(None, *words, autojunk=False).get_opcodes():
        if kind != "equal":
            for side, (first, last) in enumerate((bounds[:2], bounds[2:])):
                spans[side].append((len("".join(words[side][:first])), len("".join(words[side][:last]))))
    return _joined(left, spans[0]), _joined(right, spans[1])


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


def _column(cell: nodes.container, label: str, marks: Changes) -> nodes.container:
    block = _code(cell)
    block["highlight_args"] = block.get("highlight_args", {}) | {"hl_lines": marks.lines, MARKS: marks.words}
    title = nodes.paragraph("", label, classes=["side-title"])
    return nodes.container("", title, cell, classes=["side", f"side-{_side_of(cell)}"])


def _join_pairs(app: BookApp, doctree: nodes.document) -> None:
    """Put the two cells of each pair into one container, and mark their changes.

    Raise ExtensionError if a cell has the tag of a pair, but the cell beside it does not have the other one.
    """
    for cell in list(doctree.findall(_side_of)):
        if "side" in cell.parent["classes"]:
            continue
        tag, partner = _side_of(cell), cell.next_node(descend=False, siblings=True)
        if tag not in PAIRS or _side_of(partner) != PAIRS[tag]:
            first_line = _code(cell).astext().partition("\n")[0]
            sentence = f"is tagged {tag}, but its partner is not beside it: add it, or remove the tag"
            raise ExtensionError(f"{app.env.docname}: the cell that begins with {first_line!r} " + sentence)
        parent, place, pair = cell.parent, cell.parent.index(cell), (cell, partner)
        del parent[place : place + 2]
        marks = changes(*(_code(one).astext() for one in pair))
        labels = (app.sentences.gettext(LABELS[_side_of(one)]) for one in pair)
        parent.insert(place, nodes.container("", *map(_column, pair, labels, marks), classes=["side-by-side"]))


def setup(app: BookApp) -> None:
    """Connect the handler."""
    app.connect("doctree-read", _join_pairs)
