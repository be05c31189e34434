"""Find Chromium on this machine, and serve a folder of pages on a local port."""

import shutil
import socket
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, AnyStr

from ci import _
from ci.book import BookError, UsageError
from ci.catalogues.sentences import say

if TYPE_CHECKING:
    from _typeshed import SupportsRead, SupportsWrite

SERVING = _("{address} (Ctrl-C to stop)")
NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")


def find_browser() -> str | None:
    """Return the path of Chromium, or None if it is not installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def needed() -> str:
    """Return the path of Chromium, for commands that need it.

    Raises:
      BookError: It is not installed.
    """
    if path := find_browser():
        return path
    raise BookError(_("there is no Chromium on this machine: install one (Debian: apt install chromium)"))


class Quiet(SimpleHTTPRequestHandler):
    """A request handler that serves files and does not log requests."""

    def log_message(self, *args: object) -> None:
        """Ignore the message; the base class would print it."""

    def copyfile(self, source: "SupportsRead[AnyStr]", outputfile: "SupportsWrite[AnyStr]") -> None:
        """Send a file; ignore a connection that the browser closes early."""
        with suppress(ConnectionError):
            super().copyfile(source, outputfile)


def server(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of a folder that accepts connections from this machine only; port 0 chooses a free one."""
    return ThreadingHTTPServer(("127.0.0.1", port), partial(Quiet, directory=folder))


def check_port(port: int) -> None:
    """Check that nothing listens on a port.

    Raises:
      UsageError: The port is taken.
    """
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        raise UsageError(_("port {port} is taken; choose another: {next}"), port=port, next=port + 1) from error


def serve_here(folder: Path, port: int) -> None:
    """Serve a folder until Ctrl-C.

    Raises:
      UsageError: The port is taken.
    """
    check_port(port)
    with server(folder, port) as running:
        print(say(SERVING, address=f"http://localhost:{running.server_port}/"), flush=True)
        running.serve_forever()
