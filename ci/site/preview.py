"""Serve the book in one language, and render it again when a file changes, without executing any cell."""

import logging
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from sphinx_autobuild.filter import IgnoreFilter
from sphinx_autobuild.middleware import JavascriptInjectorMiddleware
from sphinx_autobuild.server import RebuildServer
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount, WebSocketRoute
from starlette.staticfiles import StaticFiles

from ci import _
from ci.book import Book, BookError, lock, sphinx
from ci.catalogues import check, messages
from ci.catalogues.sentences import say, users_sentences
from ci.execution import stored
from ci.site import browser

NOT_WATCHED = [".git", ".venv", "_build", "ci", "notebooks", "tests"]  # folders, and that of the helper module


def pages(book: Book, language: str) -> Path:
    """Return the folder of the rendered pages."""
    return book.built("preview", language, "html")


def render(book: Book, language: str, page: str | None, cache: Path, *, changed_paths: Sequence[Path] = ()) -> None:
    """Check the catalogues, and render the book. sphinx-autobuild calls this in a separate process."""
    output = pages(book, language)
    folders = {"cache": cache, "output": output, "doctrees": output.with_name("doctrees")}
    try:
        print_problems(book, language, page)
        done = sphinx.render(book, "html", language, **folders, strict=False, html_context={"preview": "yes"})
    except Exception as error:  # of a file that is just being replaced; else nothing would be rendered again
        done = False
        print(f"error: {error}", flush=True)
    if not done:
        print(say(_("The page is as before. Put this right and save again.")), flush=True)


def print_problems(book: Book, language: str, page: str | None) -> None:
    """Print the problems of the catalogue of a page, or of all, or the error of the check."""
    gettext = users_sentences().gettext
    try:
        report = check.check(book, messages.folder(book), [book.catalogue(page, language)] if page else [])
    except BookError as error:
        print(f"error: {error.say(gettext)}", flush=True)
    else:
        print(*check.text_lines(report, gettext), sep="\n", flush=True)


def application(book: Book, language: str, page: str | None, cache: Path, port: int) -> Starlette:
    """Return a web application that serves the pages, and reloads the open ones after each rendering."""
    ignored = [book.root / name for name in filter(None, [*NOT_WATCHED, book.helper])]
    again = partial(render, book, language, page, cache)
    watcher = RebuildServer([book.root], IgnoreFilter(ignored, [r"\.mo$"]), again)
    return Starlette(
        routes=[
            WebSocketRoute("/websocket-reload", watcher),
            Mount("/", StaticFiles(directory=pages(book, language), html=True)),
        ],
        middleware=[Middleware(JavascriptInjectorMiddleware, ws_url=f"127.0.0.1:{port}")],
        lifespan=watcher.lifespan,
    )


def serve(book: Book, language: str, page: str | None, port: int) -> None:
    """Render the book, print the URL of `page`, and render again after changes; raise UsageError for a taken port.

    The catalogue of `page` is checked; without a page, the URL is that of the front page, and all are checked.
    """
    browser.check_port(port)
    with lock.held(book.built()):
        messages.extract(book)
        cache = stored.fill(book)
    logging.getLogger("watchfiles").setLevel(logging.WARNING)  # it logs a line for every saved file
    print(say(_("rendering; the first time takes some minutes")), flush=True)
    sphinx.warm_up(book)
    pages(book, language).mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(1) as pool:
        pool.submit(render, book, language, page, cache).result()
    print(say(browser.SERVING, address=f"http://127.0.0.1:{port}/{page or book.pages[0]}.html"), flush=True)
    browser.server(application(book, language, page, cache, port), port).run()
