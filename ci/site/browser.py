"""Find Chromium on this machine, and serve a folder of pages on a local port."""

import shutil
import socket
from pathlib import Path

import uvicorn
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from ci import _
from ci.book import BookError, UsageError
from ci.catalogues.sentences import say

SERVING = _("{address} (Ctrl-C to stop)")
NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")


def find_browser() -> str | None:
    """Return the path of Chromium, or None if it is not installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def needed() -> str:
    """Return the path of Chromium; raise BookError if it is not installed."""
    if path := find_browser():
        return path
    raise BookError(_("there is no Chromium on this machine: install one (Debian: apt install chromium)"))


def server(application: ASGIApp, port: int = 0) -> uvicorn.Server:
    """Return a server of an application that accepts connections from this machine only."""
    return uvicorn.Server(uvicorn.Config(application, port=port, log_level="warning", timeout_graceful_shutdown=1))


def check_port(port: int) -> None:
    """Raise UsageError if something listens on a port."""
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        raise UsageError(_("port {port} is taken; choose another: {next}"), port=port, next=port + 1) from error


def serve_here(folder: Path, port: int) -> None:
    """Serve a folder until Ctrl-C; raise UsageError if the port is taken."""
    check_port(port)
    print(say(SERVING, address=f"http://localhost:{port}/"), flush=True)
    server(StaticFiles(directory=folder, html=True), port).run()
