"""Minutes behind the headings of sections, of which they are no part."""

import pytest
from bs4 import BeautifulSoup

from ci.book import TOOLS

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


def headings(html):
    return BeautifulSoup(html, "html.parser").select("section > :is(h1, h2, h3)")


def test_sections_say_how_long_they_take(chapter):
    found = headings(chapter())
    assert [heading.get("data-minutes") for heading in found] == [None, "3 min", None, "1 min", None]


def test_in_the_language_of_the_site(chapter, book, catalogue):
    catalogue(book.catalogue(TOOLS, "ko"), {"{minutes} min": "{minutes}분"})
    found = headings(chapter(language="ko"))
    assert [heading["data-minutes"] for heading in found if heading.get("data-minutes")] == ["3분", "1분"]


def test_the_text_of_headings_and_what_is_made_of_it_stays(chapter):
    page = BeautifulSoup(chapter(), "html.parser")
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
    assert " min" not in page.get_text()
