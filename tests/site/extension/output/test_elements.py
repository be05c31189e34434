"""Nodes that components put into a page."""

import pytest

from ci.site.extension.output.elements import inline


@pytest.mark.parametrize(
    "markdown, text", [("a `b` *c* **d**", "a b c d"), ("plain", "plain"), ("[text](one.md) and $x$", "text and x")]
)
def test_markdown_of_a_line_becomes_its_text(markdown, text):
    assert inline(markdown).astext() == text
