import socket

import pytest

from ci.book import UsageError
from ci.site import preview


def test_a_port_that_is_taken_is_said():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(UsageError, match=f"port {port} is taken; choose another: {port + 1}"):
            preview.check_port(port)


class Rendering:
    """Stands for a fork that renders; an interrupted one is joined a second time once it was told to end."""

    def __init__(self, interrupted=False):
        self.interrupted, self.told, self.exitcode = interrupted, [], 0

    def join(self):
        self.told.append("join")
        if self.interrupted and len(self.told) == 1:
            raise KeyboardInterrupt

    def terminate(self):
        self.told.append("terminate")


@pytest.fixture
def render(book, monkeypatch):
    """Renders a preview by a stand-in for the fork."""

    def render(rendering):
        monkeypatch.setattr(preview.sphinx, "fork", lambda *arguments, **settings: rendering)
        preview.Preview(book, "ko", None, book.built("stored"))(changed_paths=())

    return render


def test_a_glossary_that_cannot_be_read_is_said_and_the_page_still_follows(book, render, catalogue, capsys):
    catalogue(book.catalogue("book/index", "ko"), {"a": "가"})
    (book.root / "locale" / "glossary.csv").write_text("a,b\n", encoding="utf-8")
    rendering = Rendering()
    render(rendering)
    assert "error: glossary.csv:1: the columns must be" in capsys.readouterr().out
    assert rendering.told[0] == "join"


def test_ctrl_c_ends_the_rendering(render):
    rendering = Rendering(interrupted=True)
    with pytest.raises(KeyboardInterrupt):
        render(rendering)
    assert rendering.told == ["join", "terminate", "join"]
