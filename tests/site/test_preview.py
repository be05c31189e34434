import asyncio

import pytest

from ci.site import preview


class Rendering:
    """Takes the place of the process that renders; the first `join` may be interrupted."""

    exitcode = 0

    def __init__(self, interrupted=False):
        self.interrupted, self.calls = interrupted, []

    def join(self):
        self.calls.append("join")
        if self.interrupted and len(self.calls) == 1:
            raise KeyboardInterrupt

    def terminate(self):
        self.calls.append("terminate")


@pytest.fixture
def korean(book):
    return preview.Preview(book, "ko", None, book.built("stored"))


def test_a_malformed_glossary_is_printed_and_the_page_is_rendered(book, korean, catalogue, monkeypatch, capsys):
    catalogue(book.catalogue("book/index", "ko"), {"a": "가"})
    (book.root / "locale" / "glossary.csv").write_text("a,b\n", encoding="utf-8")
    rendering = Rendering()
    monkeypatch.setattr(preview.sphinx, "fork", lambda *arguments, **settings: rendering)
    korean(changed_paths=())
    assert "error: glossary.csv:1: the columns must be" in capsys.readouterr().out
    assert rendering.calls[0] == "join"


def test_ctrl_c_ends_the_rendering(korean, monkeypatch):
    rendering = Rendering(interrupted=True)
    monkeypatch.setattr(preview.sphinx, "fork", lambda *arguments, **settings: rendering)
    with pytest.raises(KeyboardInterrupt):
        korean(changed_paths=())
    assert rendering.calls == ["join", "terminate", "join"]


def test_a_page_is_served_with_the_script_that_reloads_it(korean):
    korean.html.mkdir(parents=True)
    (korean.html / "page.html").write_text("<p>text</p>")
    sent = []

    async def receive():
        await asyncio.Event().wait()

    async def send(message):
        sent.append(message.get("body", b"").decode())

    request = {"type": "http", "method": "GET", "path": "/page.html", "headers": []}
    asyncio.run(preview.application(korean, 8765)(request, receive, send))
    assert "<p>text</p>" in "".join(sent) and "ws://127.0.0.1:8765/websocket-reload" in "".join(sent)
