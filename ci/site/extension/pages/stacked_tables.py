"""Lets tables of texts be read on a phone, where the cells of a row stand under each other, each with its heading.

The page names the headings once a table, for the stylesheet, since hundreds of rows would repeat them.
"""

from html import escape

from docutils import nodes
from sphinx.writers.html5 import HTML5Translator

from ci.site.css import css_string

COLUMNS = range(3, 6)  # fewer have room; more would make rows of which one sees no two


def headings(table):
    """The texts of the first row of a table with a head."""
    head = next(table.findall(nodes.thead), None)
    return [" ".join(entry.astext().split()) for entry in head[0]] if head else []


def is_stacked(table):
    """Whether a phone shows it so. One whose author has given it a width stays as it is."""
    return len(headings(table)) in COLUMNS and "width" not in table


def visit_table(translator, node):
    HTML5Translator.visit_table(translator, node)
    if is_stacked(node):
        names = enumerate(headings(node)[1:], start=2)
        style = "; ".join(f"--heading-{number}: {css_string(name)}" for number, name in names)
        translator.body[-1] = translator.body[-1].replace("<table ", f'<table style="{escape(style)}" ', 1)


def begin(app):
    """An e-book has a stylesheet of its own."""
    if app.builder.name == "html":
        app.add_node(nodes.table, override=True, html=(visit_table, HTML5Translator.depart_table))


def setup_stacked_tables(app):
    app.connect("builder-inited", begin)
