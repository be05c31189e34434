"""Code that the keyboard can scroll."""

from bs4 import BeautifulSoup

LONG = "long = '" + 40 * "x" + "'"


def test_code_too_wide_for_a_phone_can_be_scrolled_from_the_keyboard(conf, build):
    conf("wide_code")
    _, output = build({"index": f"# Page\n\n```python\n{LONG}\nshort = 1\n```\n\n```python\nshort = 1\n```\n"})
    page = BeautifulSoup((output / "index.html").read_text(encoding="utf-8"), "html.parser")
    assert [block.get("tabindex") for block in page.select("pre")] == ["0", None]
