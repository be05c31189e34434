"""Marks in highlighted code: the code stays what it is."""

import random

import pytest
from bs4 import BeautifulSoup
from pygments import highlight
from pygments.lexers import get_lexer_by_name

from ci.site.extension.cells.highlighting import Mark, MarkingFormatter

SAMPLE = """\
$ ls | wc  # how many
>>> x = {"a": [1, 2.5e-3, None]}
Traceback (most recent call last):
  File "a.py", line 1, in <module>
ZeroDivisionError: division by zero
--- a
@@ -1 +1 @@
-old
+new
%timeit !ls ? 한글 \\
"""


def html_of(code, *marks, language="ipython3", **options):
    return highlight(code, get_lexer_by_name(language), MarkingFormatter(marks=marks, **options))


def page_of(code, *marks, **options):
    return BeautifulSoup(html_of(code, *marks, **options), "html.parser")


def changed(page):
    return "".join(word.get_text() for word in page.select(".changed"))


def test_links_stand_where_the_names_are():
    code = 'x = nn.Dense(f"{nn.relu}")\nnn.Dense\n'
    links = [("nn.Dense", "https://a.org/?b&c#d"), ("nn.relu", "https://a.org/e"), ("nn.Dense", "https://a.org/f")]
    places = [(1, 4, 12), (1, 16, 23), (2, 0, 8)]
    page = page_of(code, *(Mark(*place, address) for place, (_text, address) in zip(places, links, strict=True)))
    assert [(link.get_text(), link["href"]) for link in page.select("a")] == links
    assert page.pre.get_text() == code


def test_a_word_is_marked_within_its_token_and_across_tokens_and_keeps_its_colour():
    code = 'x = f("a b", 1)\n'
    assert changed(page_of(code, Mark(1, 9, 10))) == "b"
    assert changed(page_of(code, Mark(1, 2, 15))) == code[2:15]
    assert '<span class="k changed">return</span>' in html_of("return True\n", Mark(1, 0, 6))


def test_words_are_marked_within_a_link():
    html = html_of("x = nn.Dense(2)\n", Mark(1, 4, 12, "a"), Mark(1, 7, 14), hl_lines=[1])
    page = BeautifulSoup(html, "html.parser")
    assert (page.a.get_text(), changed(page), changed(page.a)) == ("nn.Dense", "Dense(2", "Dense")
    assert html.count("<a ") == html.count("</a>") == 1


@pytest.mark.parametrize("language", ["console", "diff", "pytb", "ipython3", "text", "bash", "json"])
def test_code_in_any_language_stays_what_it_is_under_any_marks(language):
    for seed in range(10):
        chance = random.Random(seed)
        marks = [
            Mark(chance.randint(0, 12), *sorted(chance.choices(range(40), k=2)), chance.choice(["", "a"]))
            for _mark in range(9)
        ]
        assert page_of(SAMPLE, *marks, language=language).pre.get_text() == SAMPLE
