"""Says at the end of each translated page who translated and who reviewed it, when, and how much of it."""

from docutils import nodes

from ci import _
from ci.catalogues.translation_progress import page_progress

TRANSLATED = _("Translation: {translator}")
REVIEWED = _("review: {reviewer}")
CHANGED = _("last change: {date}")
PERCENT = _("{percent} % translated")


def credit(progress, gettext):
    """Returns one line of text.

    Args:
      progress: a `ci.catalogues.translation_progress.Progress`; what it does not know is left out.
      gettext: translates the words around the names.
    """
    values = vars(progress) | {"percent": progress.percent}
    known = [
        (TRANSLATED, progress.translator),
        (REVIEWED, progress.reviewer),
        (CHANGED, progress.date),
        (PERCENT, str(progress.percent)),
    ]
    return " · ".join(gettext(text).format(**values) for text, value in known if value)


def add_credit(app, doctree, docname):
    language = app.config.language
    if language in app.book.translations and docname in app.book.pages:
        line = credit(page_progress(app.book, docname, language), app.sentences.gettext)
        page = doctree.next_node(nodes.section) or doctree
        page.append(nodes.paragraph("", line, classes=["translation-credit"]))


def setup_credits(app):
    # After `bilingual` has marked what is not translated: the credit is in the language of the site.
    app.connect("doctree-resolved", add_credit, priority=900)
