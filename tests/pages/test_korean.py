"""What only Korean needs: every label in it, and search that finds a noun whatever particle follows it."""

import re
from copy import copy

import pytest

from ci.catalogues import glossary
from ci.languages.ko import words as korean
from ci.languages.ko.rules import HANGUL
from tests.pages.reading import BOOK, DESKTOP, FRONT, SEARCH, parsed, search


def labels(page):
    """Everything a page says around its text: words, and the names of buttons and fields."""
    page = copy(page)
    for node in page.select("article > section, .toc-tree, script, style, [lang]:not(html)"):
        node.decompose()
    yield page.title.get_text()
    yield from page.body.stripped_strings
    yield from (node["content"] for node in page.select("meta[name=description]"))
    for name in ("aria-label", "title", "placeholder", "data-done", "alt"):
        yield from (node[name] for node in page.select(f"[{name}]"))


@pytest.mark.parametrize("name", [*BOOK.pages, SEARCH])
def test_every_label_of_a_korean_page_is_korean(name):
    names = {"Furo"}
    found = [label for label in labels(parsed(name, "ko")) if not HANGUL.search(label)]
    assert [label for label in found if label.strip() not in names and "©" not in label] == []


def test_what_scripts_say_on_a_korean_page_is_korean(open_page, address):
    page, _ = open_page(f"ko/{FRONT}.html", viewport=DESKTOP)
    search(page, address, "ko", "손실")
    said = [page.locator(".search-summary").inner_text(), page.locator("#search-results button").inner_text()]
    page.locator("ol.search a").first.click()
    said.append(page.locator(".highlight-link").inner_text())
    assert [text for text in said if not HANGUL.search(text)] == []


@pytest.mark.parametrize(
    "words, text",
    [
        ("하강", "확률적경사하강법을 씁니다"),
        ("배치정규화", "배치 정규화가"),
        ("배치 정규화", "배치정규화에서는"),
        ("JAX", "JAX에서는"),
    ],
)
def test_a_noun_is_found_in_nouns_of_several_and_before_particles(search_page, words, text):
    own = {"letters": korean.LETTERS, "ending": korean.ENDING}
    pages = [["one", True, [["", "제목", text, "", ""]]], ["two", True, [["", "제목", "다른 글입니다", "", ""]]]]
    search = "([data, words]) => makeSearch(data).find(words).map(({ section }) => section.page)"
    assert search_page("ko").evaluate(search, [{"pages": pages, "sameMeaning": [], "words": own}, words]) == ["one"]


def own_text(name, language):
    """What a page says, without the labels that the site adds."""
    text = copy(parsed(name, language).select_one("article > section"))
    for label in text.select("summary, .side-title, .translation-credit, .definition, .report"):
        label.decompose()
    return text.get_text()


def nouns(text):
    """The nouns of a text, without the particles that follow them."""
    return {re.sub(f"(?<=.){korean.ENDING}$", "", word) for word in re.findall("[가-힣]+", text)}


def stands_in(term, text, own):
    """Whether a term is in the nouns of a text: 시도 is not in 표시도. One syllable is part of other words, too."""
    if " " in term:
        return term in text
    return term in own or (len(term) > 1 and any(term in noun for noun in own))


def test_every_korean_term_of_the_glossary_is_found_where_it_stands(find):
    texts = [(name, own_text(name, "ko")) for name in BOOK.chapters]
    chapters = [(name, text, nouns(text)) for name, text in texts]
    terms = sorted({term.forms[0] for term in glossary.load(BOOK, "ko").terms})
    assert len(terms) > 100
    missed = []
    for term, places in zip(terms, find("ko", terms), strict=True):
        pages = {place.partition("#")[0] for place in places}
        missed += [(term, name) for name, text, own in chapters if stands_in(term, text, own) and name not in pages]
    assert missed == []
