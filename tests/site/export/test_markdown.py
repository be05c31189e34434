import os

import pytest
from bs4 import BeautifulSoup

from ci.book import BookError
from ci.site import publish
from ci.site.export import markdown

PAGE = "book/part/one"
SITE = "https://example.github.io/small/en"
CODE = '<div class="highlight-{}"><div class="highlight"><pre><span></span>{}\n</pre></div></div>'
CASES = {
    "heading": ("<h2>Two <em>words</em></h2>", "## Two *words*"),
    "paragraph": ("<p>A\n  <strong>b</strong> and <code>c_d</code>.</p>", "A **b** and `c_d`."),
    "link": ('<p><a href="two.html#cells">cells</a></p>', f"[cells]({SITE}/book/part/two.html#cells)"),
    "own section": ('<p><a href="#cells">cells</a></p>', f"[cells]({SITE}/{PAGE}.html#cells)"),
    "other site": ('<p><a href="https://a.example/b">b</a></p>', "[b](https://a.example/b)"),
    "figure": ('<div><img src="a.png" alt="A curve."></div>', "[Figure: A curve.]"),
    "formula": ('<p>Let <math alttext="x^2"><mi>x</mi></math>.</p>', "Let $x^2$."),
    "code": (CODE.format("ipython3", "for i in x:\n    print(i)"), "```python\nfor i in x:\n    print(i)\n```"),
    "output": (CODE.format("myst-ansi", "a | b"), "```text\na | b\n```"),
    "fence in code": (CODE.format("ipython3", "x = '```'"), "````python\nx = '```'\n````"),
    "table": (
        "<table><tr><th>a</th><th>b</th></tr><tr><td>1 | 2</td><td><code>c</code></td></tr></table>",
        "| a | b |\n|---|---|\n| 1 \\| 2 | `c` |",
    ),
    "list": ("<ul><li><p>a</p></li><li><p>b</p><ol><li>c</li></ol></li></ul>", "- a\n- b\n  \n  1. c"),
    "folded cell": (
        "<details><summary>Show</summary>" + CODE.format("ipython3", "1") + "</details>",
        "Show\n\n```python\n1\n```",
    ),
}


def convert(html):
    text = markdown.Converter(PAGE, SITE, "Figure: {description}").convert(BeautifulSoup(html, "html.parser"))
    body, address = text.rsplit("\n\n", 1)
    assert address == f"<{SITE}/{PAGE}.html>\n"
    return body


@pytest.mark.parametrize("html, text", CASES.values(), ids=CASES)
def test_an_element_becomes_markdown(html, text):
    assert convert(html) == text


def test_a_copy_is_made_of_each_page_and_anew_only_if_the_page_is_newer(built):
    folder = publish.published(built) / "en"
    markdown.write_all(built, "en", folder)
    copy = folder / f"{PAGE}.md"
    text = copy.read_text(encoding="utf-8")
    assert text.startswith('# One & "only"\n\n[Figure: A {{ b }}]\n\nA key and\n')
    assert "Report" not in text and "Copy" not in text
    assert markdown.headings(built, folder) == {"book/index": "A small book", PAGE: 'One & "only"'}
    copy.write_text("kept", encoding="utf-8")
    markdown.write_all(built, "en", folder)
    assert copy.read_text(encoding="utf-8") == "kept"
    os.utime(copy, (1, 1))
    markdown.write_all(built, "en", folder)
    assert copy.read_text(encoding="utf-8") == text


def test_a_page_that_was_not_rendered_is_an_error(built):
    folder = publish.published(built) / "en"
    (folder / f"{PAGE}.html").unlink()
    with pytest.raises(BookError, match="book/part/one is not in the built book"):
        markdown.write_all(built, "en", folder)
