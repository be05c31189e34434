import socket
import struct
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


def test_a_reader_who_goes_on_before_all_has_come_is_no_fault(tmp_path, capfd):
    (tmp_path / "page.html").write_bytes(bytes(30_000_000))
    with browser.served(tmp_path) as address:
        with socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2]))) as reader:
            reader.sendall(b"GET /page.html HTTP/1.1\r\n\r\n")
            reader.recv(1000)
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # leaves without a word
        with urlopen(f"{address}/page.html", timeout=5) as page:
            assert len(page.read()) == 30_000_000
    assert capfd.readouterr().err == ""
