"""Add to pages what their sources do not have: a link to report a fault of a section, and who translated the page."""

from collections.abc import Callable
from urllib.parse import urlencode

from docutils import nodes

from ci import _
from ci.book import Book
from ci.catalogues.translation_progress import Progress, page_progress
from ci.site.extension import priorities
from ci.site.extension.application import BookApp
from ci.site.extension.output.elements import element

REPORT = _("Report a fault in this section")
TRANSLATED = _("Translation: {translator}")
REVIEWED = _("review: {reviewer}")
CHANGED = _("last change: {date}")
PERCENT = _("{percent} % translated")


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


def credit(progress: Progress, gettext: Callable[[str], str]) -> str:
    """Return a line on the translation of a page, without the items that the catalogue lacks."""
    values = vars(progress) | {"percent": progress.percent}
    needed = {TRANSLATED: progress.translator, REVIEWED: progress.reviewer, CHANGED: progress.date, PERCENT: "always"}
    return " · ".join(gettext(text).format(**values) for text, value in needed.items() if value)


def add_credit(app: BookApp, doctree: nodes.document, docname: str) -> None:
    """Add the credit to the end of a translated page."""
    language = app.config.language
    if language in app.book.translations and docname in app.book.pages:
        line = credit(page_progress(app.book, docname, language), app.sentences.gettext)
        page = doctree.next_node(nodes.section) or doctree
        page.append(nodes.paragraph("", line, classes=["translation-credit"]))


def setup(app: BookApp) -> None:
    """Connect the handlers, to run after `bilingual.mark_untranslated`: they write in the language of the site."""
    app.connect("doctree-resolved", add_links, priority=priorities.END_PAGE)
    app.connect("doctree-resolved", add_credit, priority=priorities.END_PAGE)
