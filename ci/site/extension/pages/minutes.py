"""Say behind the heading of each section of a chapter how long it takes to read.

It is an attribute, which the stylesheet shows, so that the text of the heading stays what the chapter says: search,
addresses, contents and catalogues use that text.
"""

from html import escape

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from ci import _
from ci.notebooks import form
from ci.site.extension.application import BookApp

MINUTES = _("{minutes} min")


def add_minutes(app: BookApp, doctree: nodes.document, docname: str) -> None:
    """Give the title of each section of a chapter its minutes."""
    page = doctree.next_node(nodes.section)
    if docname not in app.book.chapters or page is None:
        return
    sections = [node for node in page if isinstance(node, nodes.section)]
    for section, minutes in zip(sections, form.section_minutes(app.cache.chapter(docname)), strict=False):
        section.next_node(nodes.title)["minutes"] = app.sentences.gettext(MINUTES).format(minutes=minutes)


def visit_title(translator: HTML5Translator, node: nodes.title) -> None:
    """Write a heading with its minutes."""
    place = len(translator.body)
    HTML5Translator.visit_title(translator, node)
    if "minutes" in node:
        attribute = f'<h2 data-minutes="{escape(node["minutes"])}"'
        translator.body[place] = translator.body[place].replace("<h2", attribute, 1)


def write_minutes(app: Sphinx) -> None:
    """Write the minutes on the site, but not in an e-book, which does not have the stylesheet."""
    if app.builder.name == "html":
        app.add_node(nodes.title, override=True, html=(visit_title, HTML5Translator.depart_title))


def setup_minutes(app: Sphinx) -> None:
    """Connect the handlers."""
    app.connect("builder-inited", write_minutes)
    app.connect("doctree-resolved", add_minutes)
