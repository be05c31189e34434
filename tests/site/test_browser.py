import socket
from urllib.request import urlopen

import pytest

from ci.book import UsageError
from ci.site import browser


def test_a_port_that_is_taken_is_said(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(UsageError, match=f"port {port} is taken; choose another: {port + 1}"):
            browser.serve_here(tmp_path, port)


def test_a_folder_is_served_until_ctrl_c(tmp_path, monkeypatch, capsys):
    (tmp_path / "page.html").write_text("read")

    def serve_forever(server):
        raise KeyboardInterrupt

    monkeypatch.setattr(browser.ThreadingHTTPServer, "serve_forever", serve_forever)
    with pytest.raises(KeyboardInterrupt):
        browser.serve_here(tmp_path, 0)
    address = capsys.readouterr().out.split()[0]
    with pytest.raises(OSError):
        urlopen(address, timeout=5)


def test_a_server_for_the_tests_serves_a_folder_and_ends(tmp_path):
    (tmp_path / "page.html").write_text("read")
    with browser.served(tmp_path) as address, urlopen(f"{address}/page.html", timeout=5) as page:
        assert page.read() == b"read"
    with pytest.raises(OSError):
        urlopen(f"{address}/page.html", timeout=5)
