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
from ci.execution.cache import cache_path
from ci.site.extension import inputs, priorities
from ci.site.extension.application import BookApp, errors_as_sphinx_says_them
from ci.site.extension.build_cache import BuildCache
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
SET_BY_JUPYTER_BOOK = ("comments_config", "use_jupyterbook_latex")  # settings of extensions that the book does not use
THEME = Path(__file__).parents[1] / "theme"


def share_book(app: BookApp) -> None:
    """Set the shared attributes of the application: `book` immediately, the others once the configuration is known."""
    app.book = Book(Path(app.srcdir))
    app.add_config_value("book_release", "", "env", [str])
    app.add_config_value("book_languages", {}, "env", [dict])

    def load(app: BookApp, config: Config) -> None:
        if config.book_release:
            app.book = Release(app.book.root, config.book_release)
        config.book_languages = app.book.languages
        path = getattr(config, "nb_execution_cache_path", "") or str(cache_path(app.book))
        config.nb_execution_cache_path = path
        app.cache = BuildCache(app.book, Path(path))
        app.inputs = inputs.inputs_digest(app.book, app.cache)
        app.messages = functools.cache(lambda page: po.load(app.book.catalogue(page, config.language)))
        with errors_as_sphinx_says_them():
            app.sentences = sentences(app.book, config.language)

    app.connect("config-inited", load, priority=priorities.SHARE_BOOK)


def setup(app: BookApp) -> dict[str, Any]:
    """Register the theme, and set up all components."""
    for name in SET_BY_JUPYTER_BOOK:
        app.add_config_value(name, None, "")
    share_book(app)
    app.add_html_theme("flaxbook", str(THEME))
    for component in COMPONENTS:
        app.setup_extension(component.__name__)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": inputs.machinery_digest()}
