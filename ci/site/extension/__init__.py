"""The Sphinx extension of the book: what its pages need beyond Sphinx, Furo and MyST-NB.

Each component is a Sphinx extension, a module with a `setup` function, in a subpackage.
"""

import functools
import hashlib
from collections import defaultdict
from pathlib import Path
from typing import Any

from sphinx.config import Config
from sphinx.environment import BuildEnvironment

from ci.book import Book
from ci.catalogues import po
from ci.catalogues.sentences import sentences
from ci.execution.cache import Cache, cache_path, read
from ci.site.export import markdown
from ci.site.extension import priorities
from ci.site.extension.application import BookApp, Chapters, errors_as_sphinx_says_them
from ci.site.extension.cells import (
    api_links,
    explorable,
    highlighting,
    labels,
    questions,
    side_by_side,
    terms,
    tolerances,
)
from ci.site.extension.output import cards, ebook, elements, figures, markup, mathml, paper, styles, writer
from ci.site.extension.pages import additions, bilingual, minutes, page_tools, search_data, section_links, tables
from ci.site.releases import Release

COMPONENTS = (
    *(highlighting, side_by_side, api_links, labels, questions, terms, tolerances, explorable),
    *(elements, writer, markup, mathml, figures, styles, cards, ebook, paper, markdown),
    *(bilingual, tables, section_links, search_data, page_tools, minutes, additions),
)
SET_BY_JUPYTER_BOOK = ("comments_config", "use_jupyterbook_latex")  # settings of extensions that the book does not use
CI = Path(__file__).parents[2]
THEME = CI / "site" / "theme"
COMMON = ("_*.yml", "CITATION.cff", "requirements.txt", "locale/*.csv", "locale/*/LC_MESSAGES/ci.po")


def share_book(app: BookApp) -> None:
    """Set the shared attributes of the application: `book` immediately, the others once the configuration is known."""
    app.book = Book(Path(app.srcdir))
    app.add_config_value("book_release", "", "env", [str])

    def load(app: BookApp, config: Config) -> None:
        if config.book_release:
            app.book = Release(app.book.root, config.book_release)
        path = getattr(config, "nb_execution_cache_path", "") or str(cache_path(app.book))
        config.nb_execution_cache_path = path
        fetch = functools.cache(Cache(app.book, Path(path)).fetch)
        app.cache = Chapters(app.book, functools.cache(functools.partial(read, app.book)), fetch)
        app.messages = functools.cache(lambda page: po.load(app.book.catalogue(page, config.language)))
        with errors_as_sphinx_says_them():
            app.sentences = sentences(app.book, config.language)

    app.connect("config-inited", load, priority=priorities.SHARE_BOOK)


def common_digest(book: Book) -> str:
    """Return a hash of the files on which all pages depend; when it changes, Sphinx renders all of them again."""
    paths = {path for pattern in COMMON for path in book.root.glob(pattern)}.union(CI.rglob("*"))
    files = sorted(path for path in paths if path.is_file() and "__pycache__" not in path.parts)
    return hashlib.sha256(repr([(path, path.read_bytes()) for path in files]).encode()).hexdigest()


def other_outputs(app: BookApp, env: BuildEnvironment, *_changes: set[str]) -> list[str]:
    """Return the chapters that have other outputs than in the last build: Sphinx sees only changes of their files."""
    outputs = defaultdict(set)
    for record in Cache(app.book, Path(app.config.nb_execution_cache_path)).records():
        outputs[record.uri].add(repr((record.hashkey, record.data)))
    before, vars(env)["outputs"] = vars(env).get("outputs", {}), dict(outputs)
    return [name for name in app.book.chapters if outputs.get(name) != before.get(name)]


def setup(app: BookApp) -> dict[str, Any]:
    """Register the theme, and set up all components."""
    for name in SET_BY_JUPYTER_BOOK:
        app.add_config_value(name, None, "")
    share_book(app)
    app.add_html_theme("flaxbook", str(THEME))
    for component in COMPONENTS:
        app.setup_extension(component.__name__)
    app.connect("env-get-outdated", other_outputs)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": common_digest(app.book)}
