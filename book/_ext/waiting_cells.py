"""Lets a cell that the reader has not come near wait with its layout, so that a long page opens at once."""

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.writers.html5 import HTML5Translator

NARROW = 33  # columns of code that the smallest phones show
PICTURES = (nodes.image, nodes.table, nodes.raw)


def rows(node):
    """About how many lines high a part of a cell is; the space around a block is one more."""
    if isinstance(node, HideCodeCellNode):
        return 2
    if isinstance(node, nodes.literal_block):
        return len(node.astext().splitlines()) + 1
    return sum(rows(child) for child in node.children)


def may_wait(node):
    """Whether it is a cell whose height can be told from its lines."""
    return "cell" in node["classes"] and not any(isinstance(part, PICTURES) for part in node.findall())


def visit_container(translator, node):
    """Writes the room that a cell takes; the stylesheet lets it wait."""
    style = {"style": f"--rows: {rows(node)}"} if may_wait(node) else {}
    translator.body.append(translator.starttag(node, "div", **style))


def depart_container(translator, node):
    translator.body.append("</div>\n")


def visit_literal_block(translator, node):
    """Lets the keyboard scroll a block that may be too wide; the page's script takes that back where it is not."""
    try:
        HTML5Translator.visit_literal_block(translator, node)
    finally:
        if max(map(len, node.astext().splitlines()), default=0) > NARROW:
            translator.body[-1] = translator.body[-1].replace("<pre>", '<pre tabindex="0">', 1)


def begin(app):
    """An e-book is laid out page by page anyway."""
    if app.builder.name == "html":
        depart_literal_block = HTML5Translator.depart_literal_block
        app.add_node(nodes.literal_block, override=True, html=(visit_literal_block, depart_literal_block))
        app.add_node(nodes.container, override=True, html=(visit_container, depart_container))


def setup(app):
    app.connect("builder-inited", begin)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
