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
from ci.site.extension import cells, output, pages, priorities
from ci.site.extension.application import BookApp
from ci.site.extension.build_cache import BuildCache, opened
from ci.site.extension.inputs import inputs_digest, machinery_digest, setup_inputs
from ci.site.releases import Release

COMPONENTS = [setup_inputs, cells.setup, output.setup, pages.setup]
THEME = Path(__file__).parents[1] / "theme"


def share_book(app: BookApp) -> None:
    """Give the components the book at once, and its cache and translations when the configuration is known."""
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
