import asyncio
from unittest.mock import Mock, call

import pytest

from ci.site import preview


@pytest.fixture
def korean(book):
    return preview.Preview(book, "ko", None, book.built("stored"))


@pytest.fixture
def rendering(monkeypatch):
    """Takes the place of the process that renders."""
    process = Mock(exitcode=0)
    monkeypatch.setattr(preview.sphinx, "fork", Mock(return_value=process))
    return process


def test_a_malformed_glossary_is_printed_and_the_page_is_rendered(book, korean, rendering, catalogue, capsys):
    catalogue(book.catalogue("book/index", "ko"), {"a": "가"})
    (book.root / "locale" / "glossary.csv").write_text("a,b\n", encoding="utf-8")
    korean(changed_paths=())
    assert "error: glossary.csv:1: the columns must be" in capsys.readouterr().out
    assert rendering.method_calls[0] == call.join()


def test_ctrl_c_ends_the_rendering(korean, rendering):
    rendering.join.side_effect = [KeyboardInterrupt, None]
    with pytest.raises(KeyboardInterrupt):
        korean(changed_paths=())
    assert rendering.method_calls == [call.join(), call.terminate(), call.join()]


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
