"""The Sphinx extension of the book: what makes its pages more than Sphinx, Furo and MyST-NB do by themselves.

Each component is a module with a `setup_<component>`. They share `app.book`, the `Book`; `app.cache`, its chapters
with their outputs; `app.sentences`, the words around the pages in the language being built; and `app.messages`, which
gives {message: translation} of a page.
"""

import functools
import hashlib
from pathlib import Path

from sphinx.errors import ExtensionError

from ci.book import Book, BookError
from ci.catalogues import po
from ci.catalogues.sentences import sentences, users_sentences
from ci.execution.cache import Cache, executed
from ci.site.extension import cells, output
from ci.site.extension.pages.bilingual import setup_bilingual
from ci.site.extension.pages.credits import setup_credits
from ci.site.extension.pages.minutes import setup_minutes
from ci.site.extension.pages.page_tools import setup_page_tools
from ci.site.extension.pages.reports import setup_reports
from ci.site.extension.pages.search import setup_search
from ci.site.extension.pages.stacked_tables import setup_stacked_tables
from ci.site.extension.pages.tables import setup_tables
from ci.site.extension.pages.troubles import setup_troubles
from ci.site.extension.section_links import setup_section_links
from ci.site.extension.waiting import setup_waiting

COMPONENTS = [
    cells.setup,
    output.setup,
    setup_bilingual,
    setup_credits,
    setup_minutes,
    setup_page_tools,
    setup_reports,
    setup_search,
    setup_section_links,
    setup_stacked_tables,
    setup_tables,
    setup_troubles,
    setup_waiting,
]
SEEN = (".py", ".css", ".js", ".inv")  # the files of which pages are made
UNSEEN = "checks"  # the room on which no page depends


def share_book(app):
    """Gives the components the book, and what is translated of it once the language is known."""
    app.book = Book(Path(app.srcdir))

    def load(app, config):
        path = getattr(config, "nb_execution_cache_path", "")
        app.cache = Cache(app.book, Path(path)) if path else executed(app.book)
        app.messages = functools.cache(lambda page: po.load(app.book.catalogue(page, config.language)))
        try:
            app.sentences = sentences(app.book, config.language)
        except BookError as error:
            raise ExtensionError(error.say(users_sentences().gettext)) from error

    app.connect("config-inited", load, priority=10)


def version():
    """Names the state of what makes the pages, so that a change of it renders all of them again."""
    ci = Path(__file__).parents[2]
    files = sorted(path for path in ci.glob("*/**/*") if path.suffix in SEEN and UNSEEN not in path.parts)
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def setup(app):
    share_book(app)
    app.add_html_theme("flaxbook", str(Path(__file__).parents[1] / "theme"))
    for setup_component in COMPONENTS:
        setup_component(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": version()}
