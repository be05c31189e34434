"""Pairs of cells: source -> stored doctree, HTML, and what translators get."""

import pytest
from bs4 import BeautifulSoup
from sphinx.errors import ExtensionError

from ci.book import TOOLS
from ci.site.extension.cells.side_by_side import Mark, changes

HEAD = "# Pairs\n\nBefore.\n\n"
WITHOUT = """\
```{code-cell}
:tags: [without]

# Without dropout
def forward(x):
    x = dense(x)
    return x
```

"""
WITH = """\
```{code-cell}
:tags: [with]

# With dropout
def forward(x, rate):
    x = dense(x)
    x = dropout(x, rate)
    return x
```

"""
AFTER = "After.\n"


@pytest.fixture
def build(conf, build):
    """Builds one page with the component; returns (the application, the output folder)."""
    conf("highlighting", "side_by_side")
    return lambda text, **options: build({"index": HEAD + text}, **options)


def test_the_changed_lines_and_words_are_highlighted(build):
    _, output = build(WITHOUT + WITH)
    page = BeautifulSoup((output / "index.html").read_text(encoding="utf-8"), "html.parser")
    left, right = page.select(".side-by-side > .side")
    assert [line.get_text() for line in left.select(".hll")] == ["def forward(x):\n"]
    assert [line.get_text() for line in right.select(".hll")] == [
        "def forward(x, rate):\n",
        "    x = dropout(x, rate)\n",
    ]
    assert [one.select_one(".side-title").get_text() for one in (left, right)] == ["Without", "With"]
    assert [word.get_text() for word in left.select(".changed")] == []
    assert "".join(word.get_text() for word in right.select(".changed")) == ", rate"
    assert right.pre.get_text() == WITH.partition("]\n\n")[2].partition("```")[0]


def test_the_titles_are_in_the_language_of_the_site(book, catalogue, build):
    catalogue(book.catalogue(TOOLS, "ko"), {"Without": "적용 전"})
    _, output = build(WITHOUT + WITH, language="ko")
    assert ">적용 전<" in (output / "index.html").read_text(encoding="utf-8")


def test_translators_do_not_get_the_titles_again_with_each_page(build):
    _, output = build(WITHOUT + WITH + AFTER, builder="gettext")
    messages = (output / "index.pot").read_text(encoding="utf-8")
    assert "Without" not in messages
    for message in ("Pairs", "Before.", "After."):
        assert f'msgid "{message}"' in messages


@pytest.mark.parametrize(
    "text, said",
    [
        (WITHOUT + AFTER, "'# Without dropout' is tagged without, but its partner is not beside it"),
        (WITH + AFTER, "'# With dropout' is tagged with, but its partner is not beside it"),
        (WITHOUT + WITH + WITH, "'# With dropout' is tagged with, but its partner is not beside it"),
    ],
)
def test_a_cell_without_its_partner_fails_the_build_and_is_named(build, text, said):
    with pytest.raises(ExtensionError) as error:
        build(text)
    assert "index" in str(error.value)
    assert said in str(error.value)


def lines(left, right):
    return tuple(marks.lines for marks in changes(left, right))


def test_lines_that_were_added_differ_but_the_opening_comments_do_not():
    assert lines("# Without\nx = 1", "# With\nx = 1") == ([], [])
    assert lines("a\nc", "a\nb\nc") == ([], [2])
    assert lines("a\nb\nc", "a\nc") == ([2], [])
    assert lines("x\nx", "x\ny\nx") == ([], [2])


def test_empty_lines_do_not_part_what_belongs_together():
    left, right = "a = f(1)\n\nx = 1\n", "class A:\n    pass\n\nb = f(1)\n\nx = 1\n"
    assert changes(left, right)[1] == ([1, 2, 4], [Mark(4, 0, 1)])


def test_words_are_marked_where_they_stand():
    left, right = changes("import a\ny = f(x)\n", "import a\nnew = 1\ny = f(x, True)\n")
    assert left == ([2], [])
    assert right == ([2, 3], [Mark(3, 7, 13)])
    left, right = changes(
        "def plain(rate):\n    a = nn.Dense(8)\n", "import x\ndef with_it(rate):\na = nnx.Linear(8)\n"
    )
    assert left == ([1, 2], [Mark(1, 4, 9), Mark(2, 8, 16)])
    assert right == ([1, 2, 3], [Mark(2, 4, 11), Mark(3, 4, 14)])
