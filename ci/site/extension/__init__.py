"""The Sphinx extension of the book: everything on its pages that Sphinx, Furo and MyST-NB do not do by themselves.

Each room below is a group of components, and each component is a module with a `setup_<component>`.
"""

import functools
from pathlib import Path
from typing import Any

from sphinx.config import Config
from sphinx.errors import ExtensionError

from ci.book import Book, BookError
from ci.catalogues import po
from ci.catalogues.sentences import sentences, users_sentences
from ci.site.extension import pages, priorities
from ci.site.extension.api_links import setup_api_links
from ci.site.extension.application import BookApp
from ci.site.extension.build_cache import BuildCache, opened
from ci.site.extension.cells.labels import setup_labels
from ci.site.extension.cells.questions import setup_questions
from ci.site.extension.cells.quoting import setup_quoting
from ci.site.extension.cells.side_by_side import setup_side_by_side
from ci.site.extension.cells.terms import setup_terms
from ci.site.extension.inputs import inputs_digest, machinery_digest, setup_inputs
from ci.site.extension.output.cards import setup_cards
from ci.site.extension.output.ebook import setup_ebook
from ci.site.extension.output.elements import setup_elements
from ci.site.extension.output.light import setup_light
from ci.site.extension.output.mathml import setup_mathml
from ci.site.extension.output.night import setup_night
from ci.site.releases import Release

COMPONENTS = [
    *(setup_inputs, setup_api_links, setup_cards, setup_ebook, setup_elements, setup_labels, setup_light),
    *(setup_mathml, setup_night, setup_questions, setup_quoting, setup_side_by_side, setup_terms, pages.setup),
]
THEME = Path(__file__).parents[1] / "theme"


def share_book(app: BookApp) -> None:
    """Share the book with the components, and what is translated of it once the language is known."""
    app.book = Book(Path(app.srcdir))
    app.add_config_value("book_release", "", "env", [str])

    def load(app: BookApp, config: Config) -> None:
        if config.book_release:
            app.book = Release(app.book.root, config.book_release)
        path = getattr(config, "nb_execution_cache_path", "")
        app.cache = BuildCache(app.book, Path(path)) if path else opened(app.book)
        app.inputs = inputs_digest(app.book, app.cache)
        app.messages = functools.cache(lambda page: po.load(app.book.catalogue(page, config.language)))
        try:
            app.sentences = sentences(app.book, config.language)
        except BookError as error:
            raise ExtensionError(error.say(users_sentences().gettext)) from error

    app.connect("config-inited", load, priority=priorities.SHARE_BOOK)


def setup(app: BookApp) -> dict[str, Any]:
    """Set up the theme and all components."""
    share_book(app)
    app.add_html_theme("flaxbook", str(THEME))
    for setup_component in COMPONENTS:
        setup_component(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": machinery_digest()}
