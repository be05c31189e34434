"""Let a phone show the cells of a row under each other, each with its heading, in tables of three to five columns.

The page names the headings once a table, for the stylesheet, since hundreds of rows would repeat them.
"""

from html import escape

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from ci.site.css import css_string

COLUMNS = range(3, 6)  # two columns fit on a phone; of rows with six cells, a phone shows less than one


def headings(table: nodes.table) -> list[str]:
    """Return the headings of a table, or [] if it has none."""
    head = next(table.findall(nodes.thead), None)
    return [" ".join(entry.astext().split()) for entry in head[0]] if head else []


def is_stacked(table: nodes.table) -> bool:
    """Return whether a phone stacks a table. One whose author has given it a width stays as it is."""
    return len(headings(table)) in COLUMNS and "width" not in table


def visit_table(translator: HTML5Translator, node: nodes.table) -> None:
    """Write the start of a table with its headings."""
    HTML5Translator.visit_table(translator, node)
    if is_stacked(node):
        names = enumerate(headings(node)[1:], start=2)
        style = "; ".join(f"--heading-{number}: {css_string(name)}" for number, name in names)
        translator.body[-1] = translator.body[-1].replace("<table ", f'<table style="{escape(style)}" ', 1)


def write_headings(app: Sphinx) -> None:
    """Write the headings on the site, but not in an e-book, which has a stylesheet of its own."""
    if app.builder.name == "html":
        app.add_node(nodes.table, override=True, html=(visit_table, HTML5Translator.depart_table))


def setup_stacked_tables(app: Sphinx) -> None:
    """Connect the handler."""
    app.connect("builder-inited", write_headings)
