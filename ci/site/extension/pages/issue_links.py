"""Let readers report a fault in a section: a link to a new issue that already names the section."""

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
    """Return the address of the form for a new issue about a section, given the id of the section."""
    place = f"{book.address(page, language)}#{section}"
    form = "fault.yml" if language == book.source_language else "translation.yml"
    values = {"template": form, "title": f"{page} ({language}): {section}", "place": place}
    return f"{book.repository}/issues/new?{urlencode(values)}"


def add_links(app: BookApp, doctree: nodes.document, docname: str) -> None:
    """Add a link to each section of a chapter."""
    if app.builder.name != "html" or docname not in app.book.chapters:
        return
    for section in doctree[0].children:
        if isinstance(section, nodes.section):
            target = address(app.book, docname, app.config.language, section["ids"][0])
            words = app.sentences.gettext(REPORT)
            name = f"{words}: {section.next_node(nodes.title).astext()}"  # the links of a page differ by it
            link = element("a", nodes.Text(words), href=target, aria_label=name)
            section.append(element("p", link, classes=["report"]))


def setup(app: Sphinx) -> None:
    """Add links after `bilingual` has marked blocks: their words are in the language of the site."""
    app.connect("doctree-resolved", add_links, priority=priorities.END_PAGE)
