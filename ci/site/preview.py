"""Serve the book in one language, and render it again when a file changes, without executing any cell."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from sphinx_autobuild.filter import IgnoreFilter
from sphinx_autobuild.middleware import JavascriptInjectorMiddleware
from sphinx_autobuild.server import RebuildServer
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount, WebSocketRoute
from starlette.staticfiles import StaticFiles

from ci import _
from ci.book import Book, BookError, lock, sphinx
from ci.catalogues import check, formats, messages
from ci.catalogues.sentences import say, users_sentences
from ci.execution import stored
from ci.site import browser

NOT_WATCHED = [".git", ".venv", "_build", "ci", "notebooks", "tests"]  # folders, and that of the helper module


@dataclass(frozen=True)
class Preview:
    """A callable that renders the book in one language and checks its catalogues, for sphinx-autobuild.

    Attributes:
      page: The page whose catalogue is checked, or None for all pages.
      cache: The folder of a cache that was filled with the outputs stored in the notebooks.
    """

    book: Book
    language: str
    page: str | None
    cache: Path

    @property
    def html(self) -> Path:
        """The folder of the rendered pages."""
        return self.book.built("preview", self.language, "html")

    def __call__(self, *, changed_paths: Sequence[Path]) -> None:
        """Render the book and check the catalogues. sphinx-autobuild calls this in a separate process."""
        rendering = sphinx.fork(
            self.book,
            "html",
            self.language,
            cache=self.cache,
            output=self.html,
            doctrees=self.html.with_name("doctrees"),
            strict=False,
            html_context={"preview": "yes"},
        )
        try:
            self.check()
            rendering.join()
        finally:
            rendering.terminate()
            rendering.join()
        if rendering.exitcode:
            print(say(_("The page is as before. Put this right and save again.")), flush=True)

    def check(self) -> None:
        """Print the problems of the catalogues. If the check raises an error, print the error and continue."""
        paths = [self.book.catalogue(self.page, self.language)] if self.page else []
        gettext = users_sentences().gettext
        try:
            report = check.check(self.book, messages.folder(self.book), paths)
        except BookError as error:
            print(f"error: {error.say(gettext)}", flush=True)
        else:
            print(*formats.text_lines(report, gettext), sep="\n", flush=True)


def application(preview: Preview, port: int) -> Starlette:
    """Return a web application that serves a preview, and reloads the open pages after each rendering."""
    root = preview.book.root
    ignored = IgnoreFilter([root / name for name in filter(None, [*NOT_WATCHED, preview.book.helper])], [r"\.mo$"])
    watcher = RebuildServer([root], ignored, preview)
    pages = StaticFiles(directory=preview.html, html=True)
    return Starlette(
        routes=[WebSocketRoute("/websocket-reload", watcher), Mount("/", pages)],
        middleware=[Middleware(JavascriptInjectorMiddleware, ws_url=f"127.0.0.1:{port}")],
        lifespan=watcher.lifespan,
    )


def serve(book: Book, language: str, page: str | None, port: int) -> None:
    """Render the book, then serve it until Ctrl-C and render it again when a file changes.

    Args:
      page: The page whose URL is printed and whose catalogue is checked; None for the front page and all catalogues.

    Raises:
      UsageError: The port is taken.
    """
    browser.check_port(port)
    with lock.held(book.built()):
        messages.extract(book)
        preview = Preview(book, language, page, stored.fill(book))
    logging.getLogger("watchfiles").setLevel(logging.WARNING)  # it logs a line for every saved file
    sphinx.warm_up(book)
    preview.html.mkdir(parents=True, exist_ok=True)
    print(say(browser.SERVING, address=f"http://127.0.0.1:{port}/{page or book.pages[0]}.html"), flush=True)
    preview(changed_paths=())
    uvicorn.run(application(preview, port), host="127.0.0.1", port=port, log_level="warning")
