import socket

import pytest

from ci.book import UsageError
from ci.site import browser, preview


def preview_here(book, port):
    preview.serve(book, "ko", None, port)


@pytest.mark.parametrize("serve", [browser.serve_here, preview_here])
def test_a_port_that_is_taken_is_an_error(tmp_path, serve):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(UsageError, match=f"port {port} is taken; choose another: {port + 1}"):
            serve(tmp_path, port)
