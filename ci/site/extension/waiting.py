"""Lets sections and cells that the reader has not come near wait with their layout, so that a long page opens at once.

The page says how much they hold, and the stylesheet how much room that takes, so that little moves later.
"""

from functools import partial
from math import ceil
from unicodedata import east_asian_width

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.writers.html5 import HTML5Translator

from ci.site.extension.pages.stacked_tables import headings, is_stacked

NARROW = 33  # columns of code that the smallest phones show
PICTURE = 16  # lines of code that are as high as a figure
TABLE_COLUMNS, PHONE_COLUMNS = 100, 46  # letters that a line of a table shows, and a line of a cell on a phone
# Cells side by side are as high as the higher one; stacked, as both. On a phone the cells of tables are, too.
WIDE, STACKED, PHONE = "--rows", "--stacked", "--phone"
TILE = {WIDE: 2, STACKED: 3, PHONE: 4}  # lines for a tile of a gallery, of which two to four stand in a row
UNMEASURED = (nodes.image, nodes.table, nodes.raw)  # their height cannot be told from lines


def rows(node, layout=WIDE):
    """About how many lines of code high a node is, without its prose; the space around a block is one more."""
    if isinstance(node, nodes.literal_block):
        return len(node.astext().splitlines()) + 1
    if isinstance(node, nodes.image):
        return PICTURE
    if isinstance(node, (HideCodeCellNode, nodes.title)):
        return 2
    if isinstance(node, nodes.row):
        return 1 + max(1, ceil(letters(node) / TABLE_COLUMNS))
    if isinstance(node, nodes.table) and layout == PHONE and is_stacked(node):
        return 1 + sum(map(partial(lines_on_a_phone, headings(node)), node.next_node(nodes.tbody)))
    if isinstance(node, nodes.container) and "gallery" in node["classes"]:
        return len(node) * TILE[layout]
    parts = [rows(child, layout) for child in node.children]
    if isinstance(node, nodes.container) and "side-by-side" in node["classes"] and layout == WIDE:
        return max(parts)
    return sum(parts) + isinstance(node, nodes.paragraph)


def lines_on_a_phone(headings, row):
    """How many lines a row of a table takes where its cells stand under each other, each after its heading."""
    cells = [letters(cell) and letters(cell) + len(heading) for heading, cell in zip(headings, row, strict=False)]
    return 1 + sum(ceil(cell / PHONE_COLUMNS) for cell in cells)


def letters(node):
    """How many columns its prose would take in one line."""
    if isinstance(node, (nodes.literal_block, nodes.table, nodes.title)):
        return 0
    if isinstance(node, nodes.Text):
        return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in node)
    return sum(map(letters, node.children))


def is_cell(node):
    """Whether it is a cell whose height can be told from its lines."""
    return "cell" in node["classes"] and not any(isinstance(part, UNMEASURED) for part in node.findall())


def visit_container(translator, node):
    style = {"style": f"{WIDE}: {rows(node)}"} if is_cell(node) else {}
    translator.body.append(translator.starttag(node, "div", **style))


def depart_container(translator, node):
    translator.body.append("</div>\n")


def visit_section(translator, node):
    HTML5Translator.visit_section(translator, node)
    if translator.section_level == 2:
        room = {layout: rows(node, layout) for layout in (WIDE, STACKED, PHONE)} | {"--letters": letters(node)}
        style = "; ".join(f"{name}: {number}" for name, number in room.items())
        translator.body[-1] = translator.starttag(node, "section", style=style)


def visit_literal_block(translator, node):
    """Lets the keyboard scroll a block that may be too wide; the page's script takes that back where it is not."""
    try:
        HTML5Translator.visit_literal_block(translator, node)
    finally:
        if max(map(len, node.astext().splitlines()), default=0) > NARROW:
            translator.body[-1] = translator.body[-1].replace("<pre>", '<pre tabindex="0">', 1)


def begin(app):
    """An e-book is laid out page by page anyway."""
    if app.builder.name != "html":
        return
    visitors = {
        nodes.container: (visit_container, depart_container),
        nodes.section: (visit_section, HTML5Translator.depart_section),
        nodes.literal_block: (visit_literal_block, HTML5Translator.depart_literal_block),
    }
    for node, functions in visitors.items():
        app.add_node(node, override=True, html=functions)


def setup_waiting(app):
    app.connect("builder-inited", begin)
