"""The Sphinx extension of the book: what its pages need beyond Sphinx, Furo and MyST-NB.

Each component is a Sphinx extension, a module with a `setup` function, in a subpackage.
"""

import functools
from pathlib import Path
from typing import Any

from sphinx.config import Config

from ci.book import Book
from ci.catalogues import po
from ci.catalogues.sentences import sentences
from ci.site.extension import inputs, priorities
from ci.site.extension.application import BookApp, errors_as_sphinx_says_them
from ci.site.extension.build_cache import BuildCache, opened
from ci.site.extension.cells import (
    api_links,
    explorable,
    highlighting,
    labels,
    questions,
    quoting,
    side_by_side,
    terms,
    tolerances,
)
from ci.site.extension.output import cards, ebook, elements, figures, mathml, styles, writer
from ci.site.extension.pages import (
    bilingual,
    citations,
    credits,
    front_page,
    issue_links,
    minutes,
    page_tools,
    search_data,
    section_links,
    tables,
)
from ci.site.releases import Release

COMPONENTS = (
    *(inputs, highlighting, side_by_side, api_links, labels, questions, quoting, terms, tolerances, explorable),
    *(elements, writer, mathml, figures, styles, cards, ebook),
    *(
        bilingual,
        tables,
        front_page,
        citations,
        section_links,
        search_data,
        page_tools,
        minutes,
        issue_links,
        credits,
    ),
)
THEME = Path(__file__).parents[1] / "theme"


def share_book(app: BookApp) -> None:
    """Set the shared attributes of the application: `book` immediately, the others once the configuration is known."""
    app.book = Book(Path(app.srcdir))
    app.add_config_value("book_release", "", "env", [str])

    def load(app: BookApp, config: Config) -> None:
        if config.book_release:
            app.book = Release(app.book.root, config.book_release)
        path = getattr(config, "nb_execution_cache_path", "")
        app.cache = BuildCache(app.book, Path(path)) if path else opened(app.book)
        app.inputs = inputs.inputs_digest(app.book, app.cache)
        app.messages = functools.cache(lambda page: po.load(app.book.catalogue(page, config.language)))
        with errors_as_sphinx_says_them():
            app.sentences = sentences(app.book, config.language)

    app.connect("config-inited", load, priority=priorities.SHARE_BOOK)


def setup(app: BookApp) -> dict[str, Any]:
    """Register the theme, and set up all components."""
    share_book(app)
    app.add_html_theme("flaxbook", str(THEME))
    for component in COMPONENTS:
        app.setup_extension(component.__name__)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": inputs.machinery_digest()}
