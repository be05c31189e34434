"""A browser of this machine, and a server for it to meet the built book as readers do."""

import shutil
import threading
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from ci import _
from ci.book import BookError, UsageError
from ci.catalogues.sentences import say

SERVING = _("{address} (Ctrl-C to stop)")
NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")


def find_browser():
    """The path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def needed():
    """The path of a Chromium.

    Raises:
      BookError: there is none.
    """
    if found := find_browser():
        return found
    raise BookError(_("there is no Chromium on this machine: install one (Debian: apt install chromium)"))


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        """Requests are not worth a line each."""

    def copyfile(self, source, outputfile):
        """A reader who goes on before all of a file has come is no fault."""
        with suppress(ConnectionError):
            super().copyfile(source, outputfile)


@contextmanager
def served(folder):
    """Serves a folder as `python -m http.server` does, and gives its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def serve_here(folder, port):
    """Serves a folder on this machine until Ctrl-C.

    Raises:
      UsageError: the port is taken.
    """
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), partial(Quiet, directory=folder))
    except OSError as error:
        raise UsageError(_("port {port} is taken; choose another: {next}"), port=port, next=port + 1) from error
    print(say(SERVING, address=f"http://localhost:{server.server_port}/"), flush=True)
    with server:
        server.serve_forever()
