"""Lets readers report a fault in a section: a plain link to an issue that says already which section it is about."""

from urllib.parse import urlencode

from docutils import nodes

from ci import _
from ci.site.extension.output.elements import element

REPORT = _("Report a fault in this section")


def address(book, page, language, section):
    """Where such an issue is written; the section is the fragment of its address."""
    place = f"{book.address(page, language)}#{section}"
    values = {"title": f"{page} ({language}): {section}", "body": f"{place}\n\n"}
    return f"{book.repository}/issues/new?{urlencode(values)}"


def add_reports(app, doctree, docname):
    if app.builder.name != "html" or docname not in app.book.chapters:
        return
    for section in doctree[0].children:
        if isinstance(section, nodes.section):
            target = address(app.book, docname, app.config.language, section["ids"][0])
            words = app.sentences.gettext(REPORT)
            name = f"{words}: {section.next_node(nodes.title).astext()}"  # the links of a page differ by it
            link = element("a", nodes.Text(words), href=target, aria_label=name)
            section.append(element("p", link, classes=["report"]))


def setup_reports(app):
    # After `bilingual` has marked what is not translated: these words are in the language of the site.
    app.connect("doctree-resolved", add_reports, priority=900)
