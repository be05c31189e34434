"""A browser of this machine, and a server that shows it the built book as readers see it."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from ci import _
from ci.book import BookError, UsageError
from ci.catalogues.sentences import say

SERVING = _("{address} (Ctrl-C to stop)")
NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")


def find_browser() -> str | None:
    """Return the path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def needed() -> str:
    """Return the path of a Chromium.

    Raises:
      BookError: There is none.
    """
    if path := find_browser():
        return path
    raise BookError(_("there is no Chromium on this machine: install one (Debian: apt install chromium)"))


class Quiet(SimpleHTTPRequestHandler):
    """A handler of requests that logs nothing."""

    def log_message(self, *args: Any) -> None:
        """Log no request."""

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file; it is no fault if the reader goes on to another page before the file has arrived."""
        with suppress(ConnectionError):
            super().copyfile(source, outputfile)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder as `python -m http.server` does; yield its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def port_taken(port: int) -> UsageError:
    """Return the error of a port on which something else is listening."""
    return UsageError(_("port {port} is taken; choose another: {next}"), port=port, next=port + 1)


def serve_here(folder: Path, port: int) -> None:
    """Serve a folder on this machine until Ctrl-C.

    Raises:
      UsageError: The port is taken.
    """
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), partial(Quiet, directory=folder))
    except OSError as error:
        raise port_taken(port) from error
    print(say(SERVING, address=f"http://localhost:{server.server_port}/"), flush=True)
    with server:
        server.serve_forever()
