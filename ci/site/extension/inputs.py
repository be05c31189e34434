"""Hashes of the files from which pages are rendered; a build compares them with those of the last build."""

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from sphinx.environment import BuildEnvironment

from ci.book import Book
from ci.execution.cache import Cache
from ci.site import releases
from ci.site.extension.application import BookApp

CI = Path(__file__).parents[2]
# The files of `ci` on which the rendered pages depend.
MACHINERY = (
    *(
        "book/__init__.py",
        "book/languages.py",
        "book/markdown.py",
        "book/settings.yml",
        "catalogues/**/*",
        "languages/**/*",
    ),
    *(
        "execution/cache.py",
        "execution/nbval.py",
        "execution/environments.py",
        "execution/stored.py",
    ),
    *(
        "notebooks/cells.py",
        "notebooks/form.py",
        "notebooks/trials.py",
    ),
    *("outputs/*.py", "site/*.py", "site/documentation/*", "site/extension/**/*", "site/theme/**/*"),
)
# Files of ci/site on which the rendered pages do not depend.
NOT_OF_PAGES = {"build.py", "browser.py", "freeze.py", "preview.py", "publish.py"}
SUFFIXES = {".css", ".html", ".inv", ".js", ".py", ".svg", ".yml"}
SOURCES = ("_config.yml", "_toc.yml", "CITATION.cff", "book/**/*", "locale/**/*")

Outdated = Callable[..., list[str]]


def machinery() -> list[Path]:
    """Return the files of `ci` on which the rendered pages depend; a change of one of them renders all pages again."""
    files = {path for pattern in MACHINERY for path in CI.glob(pattern) if path.suffix in SUFFIXES}
    return sorted(path for path in files if path.parent != CI / "site" or path.name not in NOT_OF_PAGES)


def digest(paths: Iterable[Path]) -> str:
    """Return a hash of the paths and the contents of files."""
    state = hashlib.sha256()
    for path in paths:
        state.update(str(path).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return state.hexdigest()


def machinery_digest() -> str:
    """Return a hash of the files that `machinery` returns; Sphinx compares it with that of the last build."""
    return digest(machinery())


def inputs_digest(book: Book, cache: Cache) -> str:
    """Return a hash of everything that pages show: the sources, catalogues, lists, executed chapters, releases."""
    paths = {path for pattern in SOURCES for path in book.root.glob(pattern) if path.is_file()}
    files = [path for path in sorted(paths) if path.suffix != ".mo"]  # a build compiles .mo files
    entries = sorted((record.hashkey, repr(record.data)) for record in cache.records())
    return hashlib.sha256(f"{digest(files)} {entries} {releases.versions(book)}".encode()).hexdigest()


def if_inputs_changed(outdated: Outdated) -> Outdated:
    """Wrap a handler of `env-get-outdated`, so that it is called only if `inputs_digest` has changed.

    Such a handler reads all chapters to compare what the pages show, which takes seconds.
    """

    def handler(app: BookApp, env: BuildEnvironment, *changes: set[str]) -> list[str]:
        return [] if vars(env).get("inputs") == app.inputs else outdated(app, env, *changes)

    return handler


def remember_inputs(app: BookApp, env: BuildEnvironment) -> list[str]:
    """Store the hash of the inputs in the environment, when all pages have been read."""
    vars(env)["inputs"] = app.inputs
    return []


def setup(app: BookApp) -> None:
    """Connect the handler."""
    app.connect("env-updated", remember_inputs)
