"""Words that differ: which they are, and that code stays what it is when they are marked."""

import random
from itertools import pairwise

import pytest
from bs4 import BeautifulSoup
from pygments import highlight
from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES

from ci.book import here
from ci.execution.cache import code_cells, read
from ci.site.extension.cells.changed_words import ChangedWordsFormatter, changed_words, counterparts, cut
from ci.site.extension.cells.side_by_side import changes
from ci.site.extension.output.light import Day, Night, light_formatter

BOOK = here()
FORMATTERS = [ChangedWordsFormatter, light_formatter([Day, Night])]


def words(left, right):
    spans = changed_words(left, right)
    return tuple([line[a:b] for a, b in side] for line, side in zip((left, right), spans, strict=True))


@pytest.mark.parametrize(
    "left, right, found",
    [
        ("y = f(x)", "y = f(x, True)", ([], [", True"])),
        ("    a = nn.Dense(8)", "    a = nnx.Linear(8)", (["nn.Dense"], ["nnx.Linear"])),
        ("def plain(rate):", "def with_it(rate_fn):", (["plain", "rate"], ["with_it", "rate_fn"])),
        ("x = 1", "x = 1", ([], [])),
        ("x = 1", "    x = 1", ([], [])),
        ("", "x", ([], ["x"])),
    ],
)
def test_words_that_differ(left, right, found):
    assert words(left, right) == found


def test_a_line_belongs_to_the_one_it_resembles_most_in_order():
    left = ["def f(x):", "y = g(x)"]
    right = ["class A:", "def f(x, y):", "pass", "y = g(x, 1)"]
    assert list(counterparts(left, right)) == [(0, 1), (1, 3)]
    assert list(counterparts(["y = f({'a': b}, x)"], ["v = {'a': b, 'c': d}", "y, z = f(v, x)"])) == [(0, 1)]


def test_a_line_that_resembles_none_is_new_as_a_whole():
    assert list(counterparts(["import jax"], ["for name, leaf in items:"])) == []
    assert list(counterparts([], ["x"])) == []


def marked(text, marks, formatter, language="python"):
    """What is marked in highlighted code, and all of its text."""
    page = BeautifulSoup(highlight(text, get_lexer_by_name(language), formatter(changed=marks)), "html.parser")
    return [node.get_text() for node in page.select(".changed")], page.pre.get_text()


@pytest.mark.parametrize("formatter", FORMATTERS)
def test_a_word_is_marked_within_its_token_and_across_tokens(formatter):
    text = 'x = f("a b", 1)\n'
    assert marked(text, [(1, 9, 10)], formatter) == (["b"], text)
    found, whole = marked(text, [(1, 2, 15)], formatter)
    assert "".join(found) == text[2:15]
    assert whole == text


@pytest.mark.parametrize("formatter", FORMATTERS)
def test_a_mark_of_a_coloured_word_keeps_its_colour(formatter):
    html = highlight("return True\n", get_lexer_by_name("python"), formatter(changed=[(1, 0, 6)]))
    assert '<span class="k changed">return</span>' in html


def anything(chance):
    """Some text of any kind, and some marks that may lie anywhere, also over each other and outside of it."""
    text = "".join(chance.choices("ab_ .,()\n\t<>&\"'\\한😀\u2028", k=60))
    return text, [(chance.randint(0, 9), *sorted(chance.choices(range(30), k=2))) for _mark in range(9)]


@pytest.mark.parametrize("kind", STANDARD_TYPES, ids=str)
def test_tokens_of_any_type_stay_what_they_are(kind):
    text, marks = anything(random.Random(0))
    tokens = [(kind, text[place : place + 7]) for place in range(0, len(text), 7)]
    assert "".join(part for _kind, part in cut(tokens, marks)) == text
    assert all(found in kind for found, _part in cut(tokens, marks))


@pytest.mark.parametrize("formatter", FORMATTERS)
@pytest.mark.parametrize("language", ["python", "ipython3", "pycon", "text", "bash"])
def test_code_in_any_language_stays_what_it_is(language, formatter):
    for seed in range(20):
        text, marks = anything(random.Random(seed))
        assert marked(text, marks, formatter, language)[1] == marked(text, [], formatter, language)[1]


@pytest.mark.parametrize("name", BOOK.chapters)
def test_any_two_cells_of_the_book_can_be_compared(name):
    cells = [cell.source for cell in code_cells(read(BOOK, name))]
    for pair in pairwise(cells):
        for text, marks in zip(pair, changes(*pair), strict=True):
            found, whole = marked(text, marks["changed"], FORMATTERS[1], "ipython3")
            rows = text.splitlines()
            assert whole == text + "\n"
            assert "".join(found) == "".join(rows[line - 1][start:end] for line, start, end in marks["changed"])
