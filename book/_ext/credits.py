"""Says at the end of each translated page who translated and who reviewed it, when, and how much of it."""

from pathlib import Path

from docutils import nodes

from ci.chapters import Book
from ci.faults import _
from ci.progress import page_progress
from ci.words import sentences

TRANSLATED = _("Translation: {translator}")
REVIEWED = _("review: {reviewer}")
CHANGED = _("last change: {date}")
PERCENT = _("{percent} % translated")


def credit(progress, translations):
    """Returns one line of text.

    Args:
      progress: a `ci.progress.Progress`; what it does not know is left out.
      translations: of the words around the names, {English: translation}.
    """
    values = vars(progress) | {"percent": progress.percent}
    known = [
        (TRANSLATED, progress.translator),
        (REVIEWED, progress.reviewer),
        (CHANGED, progress.date),
        (PERCENT, str(progress.percent)),
    ]
    return " · ".join(translations.get(text, text).format(**values) for text, value in known if value)


def add_credit(app, doctree, docname):
    book = Book(Path(app.srcdir))
    language = app.config.language
    if language in book.translations and docname in book.pages:
        line = credit(page_progress(book, docname, language), sentences(book, language))
        page = doctree.next_node(nodes.section) or doctree
        page.append(nodes.paragraph("", line, classes=["translation-credit"]))


def setup(app):
    # After `bilingual` has marked what is not translated: the credit is in the language of the site.
    app.connect("doctree-resolved", add_credit, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
