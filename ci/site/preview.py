"""Serves the book in one language and renders it again whenever a catalogue changes; executes nothing."""

import logging
import socket
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from sphinx_autobuild import __main__ as autobuild
from sphinx_autobuild.filter import IgnoreFilter

from ci import _
from ci.book import Book, BookError, UsageError, lock, sphinx
from ci.catalogues import check, formats, messages
from ci.catalogues.sentences import say, users_sentences
from ci.execution import stored
from ci.site import browser

UNRELATED = [".git", ".venv", "_build", "ci", "flaxbook", "notebooks", "tests"]  # folders


def check_port(port):
    """Raises UsageError if something else is listening."""
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        raise UsageError(_("port {port} is taken; choose another: {next}"), port=port, next=port + 1) from error


@dataclass(frozen=True)
class Preview:
    """Renders one language, and checks the catalogue of a page, each time something changes.

    Attributes:
      page: whose catalogue is checked; None for all.
      cache: the folder of the outputs stored in the notebooks.
    """

    book: Book
    language: str
    page: str | None
    cache: Path

    @property
    def output(self):
        return self.book.built("preview", self.language)

    def __call__(self, *, changed_paths):
        """What sphinx-autobuild calls, in a process of its own."""
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

    def check(self):
        """Says what is wrong with the catalogue; that the page follows matters more than the exit status."""
        paths = [self.book.catalogue(self.page, self.language)] if self.page else []
        gettext = users_sentences().gettext
        try:
            found = check.check(self.book, messages.folder(self.book), paths)
        except BookError as error:  # such as a glossary that cannot be read; the watching goes on
            print(f"error: {error.say(gettext)}", flush=True)
        else:
            print(*formats.text_lines(found, gettext), sep="\n", flush=True)


def serve(book, language, page, port):
    """Renders once, then serves until Ctrl-C.

    Args:
      page: as for `Preview`.

    Raises:
      UsageError: something else is listening on the port.
    """
    check_port(port)
    with lock.held(book.built()):
        messages.extract(book)
        preview = Preview(book, language, page, stored.fill(book))
    logging.getLogger("watchfiles").setLevel(logging.WARNING)  # a line for every saved file says nothing
    sphinx.warm_up(book)
    (preview.output / "html").mkdir(parents=True, exist_ok=True)
    print(say(browser.SERVING, address=f"http://127.0.0.1:{port}/{page or book.pages[0]}.html"), flush=True)
    preview(changed_paths=())
    ignored = IgnoreFilter([book.root / name for name in UNRELATED], [r"\.mo$"])
    html = preview.output / "html"
    app = autobuild._create_app([book.root], ignored, preview, html, f"127.0.0.1:{port}")
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")
