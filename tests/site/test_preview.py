import socket

import pytest

from ci.book import UsageError
from ci.site import preview


def test_a_port_that_is_taken_is_said():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(UsageError, match=f"port {port} is taken; choose another: {port + 1}"):
            preview.check_port(port)
