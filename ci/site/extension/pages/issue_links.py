"""Add to each section a link to report a fault: the form for a new issue, with the section filled in."""

from urllib.parse import urlencode

from docutils import nodes
from sphinx.application import Sphinx

from ci import _
from ci.book import Book
from ci.site.extension import priorities
from ci.site.extension.application import BookApp
from ci.site.extension.output.elements import element

REPORT = _("Report a fault in this section")


def address(book: Book, page: str, language: str, section: str) -> str:
    """Return the URL of the form for a new issue about a section, given the id of the section."""
    place = f"{book.address(page, language)}#{section}"
    form = "fault.yml" if language == book.source_language else "translation.yml"
    values = {"template": form, "title": f"{page} ({language}): {section}", "place": place}
    return f"{book.repository}/issues/new?{urlencode(values)}"


def add_links(app: BookApp, doctree: nodes.document, docname: str) -> None:
    """Add the link to each top-level section of a chapter, in HTML builds only."""
    if app.builder.name != "html" or docname not in app.book.chapters:
        return
    for section in doctree[0].children:
        if isinstance(section, nodes.section):
            target = address(app.book, docname, app.config.language, section["ids"][0])
            words = app.sentences.gettext(REPORT)
            name = f"{words}: {section.next_node(nodes.title).astext()}"  # unique, for screen readers
            link = element("a", nodes.Text(words), href=target, aria_label=name)
            section.append(element("p", link, classes=["report"]))


def setup(app: Sphinx) -> None:
    """Connect the handler, to run after `bilingual.mark_untranslated`: the links are in the language of the site."""
    app.connect("doctree-resolved", add_links, priority=priorities.END_PAGE)
