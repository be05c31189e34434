import socket
import struct
from urllib.request import urlopen

import pytest

from ci.book import UsageError
from ci.site import browser, preview
from tests.conftest import served


def preview_here(book, port):
    preview.serve(book, "ko", None, port)


@pytest.mark.parametrize("serve", [browser.serve_here, preview_here])
def test_a_port_that_is_taken_is_an_error(tmp_path, serve):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(UsageError, match=f"port {port} is taken; choose another: {port + 1}"):
            serve(tmp_path, port)


def test_ctrl_c_closes_the_server(tmp_path, monkeypatch, capsys):
    def serve_forever(server):
        raise KeyboardInterrupt

    monkeypatch.setattr(browser.ThreadingHTTPServer, "serve_forever", serve_forever)
    with pytest.raises(KeyboardInterrupt):
        browser.serve_here(tmp_path, 0)
    address = capsys.readouterr().out.split()[0]
    with pytest.raises(OSError):
        urlopen(address, timeout=5)


def test_a_browser_that_closes_a_connection_early_does_not_disturb_the_server(tmp_path, capfd):
    (tmp_path / "page.html").write_bytes(bytes(30_000_000))
    with served(tmp_path) as address:
        with socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2]))) as reader:
            reader.sendall(b"GET /page.html HTTP/1.1\r\n\r\n")
            reader.recv(1000)
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closes at once
        with urlopen(f"{address}/page.html", timeout=5) as page:
            assert len(page.read()) == 30_000_000
    assert capfd.readouterr().err == ""
    with pytest.raises(OSError):
        urlopen(f"{address}/page.html", timeout=5)
