"""Say behind the heading of each section of a chapter how long it takes to read.

It becomes an attribute, which the stylesheet shows, so that the text of the heading stays what the chapter says:
search, addresses, contents and catalogues use that text.
"""

from docutils import nodes
from sphinx.application import Sphinx

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


def setup(app: Sphinx) -> None:
    """Connect the handler; `output.writer` writes the attribute."""
    app.connect("doctree-resolved", add_minutes)
