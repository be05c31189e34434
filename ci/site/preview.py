"""Serve the book in one language and render it again whenever a catalogue changes; execute nothing."""

import logging
import socket
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
from ci.catalogues import check, messages, report
from ci.catalogues.sentences import say, users_sentences
from ci.execution import stored
from ci.site import browser

UNRELATED = [".git", ".venv", "_build", "ci", "flaxbook", "notebooks", "tests"]  # folders


def check_port(port: int) -> None:
    """Raise UsageError if something else is listening on a port."""
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        raise browser.port_taken(port) from error


@dataclass(frozen=True)
class Preview:
    """Render one language, and check the catalogue of a page, each time something changes.

    Attributes:
      page: The page whose catalogue is checked; None for all.
      cache: The folder of the outputs stored in the notebooks.
    """

    book: Book
    language: str
    page: str | None
    cache: Path

    @property
    def output(self) -> Path:
        """The folder of what is rendered."""
        return self.book.built("preview", self.language)

    def __call__(self, *, changed_paths: Sequence[Path]) -> None:
        """Render and check; sphinx-autobuild calls this in a process of its own."""
        rendering = sphinx.fork(
            self.book,
            "html",
            self.language,
            cache=self.cache,
            output=self.output / "html",
            doctrees=self.output / "doctrees",
            strict=False,
            context={"preview": "yes"},
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
        """Print what is wrong with the catalogue; where the check itself fails, go on watching."""
        paths = [self.book.catalogue(self.page, self.language)] if self.page else []
        gettext = users_sentences().gettext
        try:
            result = check.check(self.book, messages.folder(self.book), paths)
        except BookError as error:  # such as a glossary that cannot be read
            print(f"error: {error.say(gettext)}", flush=True)
        else:
            print(*report.text_lines(result, gettext), sep="\n", flush=True)


def application(preview: Preview, port: int) -> Starlette:
    """Return a server of what is rendered, which watches the book and reloads the pages in the browser."""
    ignored = IgnoreFilter([preview.book.root / name for name in UNRELATED], [r"\.mo$"])
    watcher = RebuildServer([preview.book.root], ignored, change_callback=preview)
    html = StaticFiles(directory=preview.output / "html", html=True)
    return Starlette(
        routes=[WebSocketRoute("/websocket-reload", watcher), Mount("/", app=html)],
        middleware=[Middleware(JavascriptInjectorMiddleware, ws_url=f"127.0.0.1:{port}")],
        lifespan=watcher.lifespan,
    )


def serve(book: Book, language: str, page: str | None, port: int) -> None:
    """Render once, then serve until Ctrl-C.

    Args:
      page: As for `Preview`.

    Raises:
      UsageError: Something else is listening on the port.
    """
    check_port(port)
    with lock.held(book.built()):
        messages.extract(book)
        preview = Preview(book, language, page, stored.fill(book))
    logging.getLogger("watchfiles").setLevel(logging.WARNING)  # by default it logs each saved file
    sphinx.warm_up(book)
    (preview.output / "html").mkdir(parents=True, exist_ok=True)
    print(say(browser.SERVING, address=f"http://127.0.0.1:{port}/{page or book.pages[0]}.html"), flush=True)
    preview(changed_paths=())
    uvicorn.run(application(preview, port), host="127.0.0.1", port=port, log_level="warning")
