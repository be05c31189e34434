"""Minutes behind the headings of sections, of which they are no part."""

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from ci.book import TOOLS
from ci.site.extension.pages import minutes

TEXT = f"""\
# Page

Opening.

## A `long` one

{"word " * 500}

### Below it

## Short & last

{"word " * 150}

## Nothing to speak of

```{{code-cell}}
1 + 1
```
"""


@pytest.fixture
def chapter(conf, build):
    """Builds a chapter, in a language; returns its page as text."""
    conf("minutes", "writer", exclude_patterns=["_build"])

    def chapter(**options):
        _, output = build({"book/part/one": TEXT, "index": "# Index\n"}, **options)
        return (output / "book/part/one.html").read_text(encoding="utf-8")

    return chapter


def test_sections_say_how_long_they_take_and_their_text_and_what_is_made_of_it_stays(chapter, book, catalogue):
    catalogue(book.catalogue(TOOLS, "ko"), {"{minutes} min": "{minutes}분"})
    page = BeautifulSoup(chapter(language="ko"), "html.parser")
    found = page.select("section > :is(h1, h2, h3)")
    assert [heading.get("data-minutes") for heading in found] == [None, "3분", None, "1분", None]
    assert [one.get_text().rstrip("¶#") for one in page.select("h2")] == [
        "A long one",
        "Short & last",
        "Nothing to speak of",
    ]
    assert [one["id"] for one in page.select("section section")] == [
        "a-long-one",
        "below-it",
        "short-last",
        "nothing-to-speak-of",
    ]
    assert "분" not in page.get_text()


@pytest.fixture
def sections():
    """Two sections, and an opening; what is no heading of a section looks like one."""
    words, code = "word " * 400, "x = f(1)\n\n" * 30
    text = f"# One\n\n{words}\n\n## Long\n\n{words}\n\n```\n## heading\n```\n\nShort\n-----\n"
    return new_notebook(cells=[new_markdown_cell(text), new_markdown_cell("### Below it\n"), new_code_cell(code)])


def test_the_minutes_of_sections_count_words_and_code_and_add_up_to_the_chapter(sections):
    assert minutes.section_minutes(sections) == [round(800 / 180), round(800 / 180 + 30 / 25) - 4] == [4, 2]
    assert minutes.reading_minutes(sections) == 6
