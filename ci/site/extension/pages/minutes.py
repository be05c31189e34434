"""Says behind the heading of each section of a chapter how long it takes to read.

It is an attribute, which the stylesheet shows: the heading's text, which search, addresses, contents and catalogues
have, stays what the chapter says.
"""

from html import escape

from docutils import nodes
from sphinx.writers.html5 import HTML5Translator

from ci import _
from ci.execution.cache import read
from ci.notebooks import form

MINUTES = _("{minutes} min")


def add_minutes(app, doctree, docname):
    if docname not in app.book.chapters:
        return
    sections = [node for node in doctree.next_node(nodes.section) if isinstance(node, nodes.section)]
    for section, minutes in zip(sections, form.section_minutes(read(app.book, docname)), strict=False):
        section.next_node(nodes.title)["minutes"] = app.sentences.gettext(MINUTES).format(minutes=minutes)


def visit_title(translator, node):
    place = len(translator.body)
    HTML5Translator.visit_title(translator, node)
    if "minutes" in node:
        attribute = f'<h2 data-minutes="{escape(node["minutes"])}"'
        translator.body[place] = translator.body[place].replace("<h2", attribute, 1)


def begin(app):
    """An e-book has no such stylesheet."""
    if app.builder.name == "html":
        app.add_node(nodes.title, override=True, html=(visit_title, HTML5Translator.depart_title))


def setup_minutes(app):
    app.connect("builder-inited", begin)
    app.connect("doctree-resolved", add_minutes)
