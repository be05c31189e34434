"""Shows adjacent cells that belong together as two columns, with the lines and words in which they differ marked.

A pair is two cells, one after the other, whose tags are one of `PAIRS`. Their outputs stay below each of them. Where
no directive may stand, in a notebook, the cells follow each other, each with a comment that says which it is.
"""

from difflib import SequenceMatcher

from docutils import nodes
from sphinx.errors import ExtensionError

from ci import _
from ci.notebooks.tags import PAIRS
from ci.site.extension.cells.changed_words import CHANGED, ChangedWordsFormatter, changed_words, counterparts

LABELS = {
    "without": _("Without"),
    "with": _("With"),
    "linen": "Linen",
    "nnx": "NNX",
    "pytorch": "PyTorch",
    "jax": "JAX",
}


def side_of(node):
    """The tag that makes a cell one of a pair, or None."""
    classes = node.get("classes", []) if isinstance(node, nodes.container) else []
    return next((tag for tag in LABELS if "cell" in classes and f"tag_{tag}" in classes), None)


def code(cell):
    """The block with the code of a cell."""
    return cell.next_node(nodes.literal_block)


def without_title(lines):
    """Empties the comment that opens a cell: it says which of the two it is, so it always differs."""
    return ["#", *lines[1:]] if lines and lines[0].startswith("# ") else lines


def differing(left, right):
    """Yields the bounds of lines, from 0, in which two texts differ: first and last of the left, then of the right.

    An empty line is like any other: it does not tell which lines belong together.
    """
    for kind, *bounds in SequenceMatcher(lambda line: not line, left, right, autojunk=False).get_opcodes():
        if kind != "equal":
            yield bounds


def changes(left, right):
    """Returns, for each of two texts, what the formatter marks in it: lines, and words (line, start, end); from 1.

    Empty lines are not marked.
    """
    left, right = texts = [without_title(text.splitlines()) for text in (left, right)]
    marks = [{"hl_lines": [], CHANGED: []} for _side in texts]
    for a, b, c, d in differing(left, right):
        marks[0]["hl_lines"].extend(number + 1 for number in range(a, b) if left[number])
        marks[1]["hl_lines"].extend(number + 1 for number in range(c, d) if right[number])
        for i, j in counterparts(left[a:b], right[c:d]):
            for mark, number, words in zip(
                marks, (a + i, c + j), changed_words(left[a + i], right[c + j]), strict=True
            ):
                mark[CHANGED].extend((number + 1, *span) for span in words)
    return marks


def partner(cell, page):
    """The cell that follows the first of a pair.

    Raises:
      ExtensionError: the next block is another one, so that the pair is incomplete.
    """
    wanted = PAIRS[side_of(cell)]
    following = cell.next_node(descend=False, siblings=True)
    if following is None or side_of(following) != wanted:
        raise ExtensionError(
            f"{page}: the cell that begins with {first_line(cell)!r} is tagged {side_of(cell)}, "
            f"but the block after it is not a cell tagged {wanted}: add it, or remove the tag"
        )
    return following


def first_line(cell):
    return code(cell).astext().partition("\n")[0]


def side(cell, label, marks):
    """One of the two columns."""
    code(cell)["highlight_args"] = code(cell).get("highlight_args", {}) | marks
    title = nodes.paragraph("", label, classes=["side-title"])
    return nodes.container("", title, cell, classes=["side", f"side-{side_of(cell)}"])


def join_pairs(app, doctree):
    """Puts the two cells of each pair into one container.

    Raises:
      ExtensionError: a cell of a pair stands alone.
    """
    page = app.env.docname
    for cell in list(doctree.findall(lambda node: side_of(node) in PAIRS)):
        cells = [cell, partner(cell, page)]
        parent, place = cell.parent, cell.parent.index(cell)
        del parent[place : place + 2]
        sides = []
        for one, marks in zip(cells, changes(*(code(one).astext() for one in cells)), strict=True):
            label = LABELS[side_of(one)]
            sides.append(side(one, app.sentences.gettext(label), marks))
        parent.insert(place, nodes.container("", *sides, classes=["side-by-side"]))
    for cell in doctree.findall(side_of):
        if "side" not in cell.parent["classes"]:
            raise ExtensionError(
                f"{page}: the cell that begins with {first_line(cell)!r} is tagged {side_of(cell)}, "
                f"but the block before it is not its partner: add it, or remove the tag"
            )


def mark_words(app):
    """Lets the formatter mark words; `light` makes its own of it."""
    if app.builder.format == "html":
        app.builder.highlighter.formatter = ChangedWordsFormatter


def setup_side_by_side(app):
    app.connect("builder-inited", mark_words)
    app.connect("doctree-read", join_pairs)
