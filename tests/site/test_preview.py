import asyncio

import pytest

from ci.site import preview


@pytest.fixture
def render(book, monkeypatch):
    """Renders the preview, with this result of Sphinx."""

    def render(succeeds):
        monkeypatch.setattr(preview.sphinx, "render", lambda *_arguments, **_settings: succeeds)
        preview.render(book, "ko", None, book.built("stored"))

    return render


def test_a_malformed_glossary_is_printed_and_the_page_is_rendered(book, render, catalogue, capsys):
    catalogue(book.catalogue("book/index", "ko"), {"a": "가"})
    (book.root / "locale" / "glossary.csv").write_text("a,b\n", encoding="utf-8")
    render(True)
    said = capsys.readouterr().out
    assert "error: glossary.csv:1: the columns must be" in said and "The page is as before" not in said


def test_a_page_that_cannot_be_rendered_stays_and_this_is_said(render, capsys):
    render(False)
    assert "The page is as before." in capsys.readouterr().out


def test_a_page_is_served_with_the_script_that_reloads_it(book):
    html = preview.pages(book, "ko")
    html.mkdir(parents=True)
    (html / "page.html").write_text("<p>text</p>")
    sent = []

    async def receive():
        await asyncio.Event().wait()

    async def send(message):
        sent.append(message.get("body", b"").decode())

    request = {"type": "http", "method": "GET", "path": "/page.html", "headers": []}
    asyncio.run(preview.application(book, "ko", None, book.built("stored"), 8765)(request, receive, send))
    assert "<p>text</p>" in "".join(sent) and "ws://127.0.0.1:8765/websocket-reload" in "".join(sent)
