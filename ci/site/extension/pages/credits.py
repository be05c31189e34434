"""Add a credit to the end of each translated page: translator, reviewer, last change, share translated."""

from collections.abc import Callable

from docutils import nodes
from sphinx.application import Sphinx

from ci import _
from ci.catalogues.translation_progress import Progress, page_progress
from ci.site.extension import priorities
from ci.site.extension.application import BookApp

TRANSLATED = _("Translation: {translator}")
REVIEWED = _("review: {reviewer}")
CHANGED = _("last change: {date}")
PERCENT = _("{percent} % translated")


def credit(progress: Progress, gettext: Callable[[str], str]) -> str:
    """Return the credit as one line, without the items that the catalogue lacks.

    Args:
      gettext: Translates the words around the names.
    """
    values = vars(progress) | {"percent": progress.percent}
    known = [
        (TRANSLATED, progress.translator),
        (REVIEWED, progress.reviewer),
        (CHANGED, progress.date),
        (PERCENT, str(progress.percent)),
    ]
    return " · ".join(gettext(text).format(**values) for text, value in known if value)


def add_credit(app: BookApp, doctree: nodes.document, docname: str) -> None:
    """Add the credit to a translated page."""
    language = app.config.language
    if language in app.book.translations and docname in app.book.pages:
        line = credit(page_progress(app.book, docname, language), app.sentences.gettext)
        page = doctree.next_node(nodes.section) or doctree
        page.append(nodes.paragraph("", line, classes=["translation-credit"]))


def setup(app: Sphinx) -> None:
    """Connect the handler, to run after `bilingual.mark_untranslated`: the credit is in the language of the site."""
    app.connect("doctree-resolved", add_credit, priority=priorities.END_PAGE)
