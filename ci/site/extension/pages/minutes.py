"""Show the estimated reading time after the title of each section of a chapter.

The time is an attribute that the stylesheet displays, and not part of the title: search, URLs, tables of contents and
catalogues use the text of the title.
"""

from docutils import nodes
from sphinx.application import Sphinx

from ci import _
from ci.notebooks import form
from ci.site.extension.application import BookApp

MINUTES = _("{minutes} min")


def add_minutes(app: BookApp, doctree: nodes.document, docname: str) -> None:
    """Store the estimated reading time, in minutes, as an attribute of each top-level section title of a chapter."""
    page = doctree.next_node(nodes.section)
    if docname not in app.book.chapters or page is None:
        return
    sections = [node for node in page if isinstance(node, nodes.section)]
    for section, minutes in zip(sections, form.section_minutes(app.cache.chapter(docname)), strict=False):
        if minutes:
            section.next_node(nodes.title)["minutes"] = app.sentences.gettext(MINUTES).format(minutes=minutes)


def setup(app: Sphinx) -> None:
    """Connect the handler; `output.writer` writes the attribute."""
    app.connect("doctree-resolved", add_minutes)
