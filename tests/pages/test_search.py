"""Search: the questions of readers and the places that answer them, and whatever else may be typed."""

import csv
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.pages.reading import BOOK, DESKTOP, results
from tests.test_troubles import printed_errors

ODD = {
    "markup": "<img src=x onerror=document.title=1> <b>dropout</b>",
    "long": "dropout " * 1250,
    "emoji that is cut": "dropout" + " " * 200 + "x" * 92 + "🔥🔥",
    "property and regular expression": "__proto__ constructor (dropout[",
}
SAME = {
    "en": "embedding=embeddings normalised=normalized accumulation=accumulate how_to_merge=merge scheduel=schedule",
    "ko": "학습률을=학습률 멈춰서=멈춤 드롭아웃_사용_방법=드롭아웃 학습률스케줄=학습률_스케줄 체크포인드=체크포인트",
}
ASKED = sorted(path.suffixes[0][1:] for path in Path(__file__).parent.glob("questions.*.csv"))


def questions(language, kind="questions"):
    """[(query, the places that are expected first)] of tests/pages/KIND.LANGUAGE.csv."""
    with Path(__file__).with_name(f"{kind}.{language}.csv").open(encoding="utf-8", newline="") as file:
        return [(row["query"], row["expected"].split(";")) for row in csv.DictReader(file)]


@pytest.fixture
def look_for(open_page):
    """Opens the search page with a query; returns the page and its results, and fails if anything goes wrong on it."""
    opened = []

    def look_for(query, language="en", **options):
        page, errors = open_page(f"{language}/search.html?q={quote(query)}", viewport=DESKTOP, **options)
        opened.append(errors)
        return page, results(page) if query.strip() else []

    yield look_for
    assert [errors for errors in opened if errors] == []


def test_there_are_questions_in_the_languages_of_the_book_so_far():
    assert set(ASKED) >= {BOOK.source_language, *list(BOOK.translations)[:1]}


@pytest.mark.parametrize("language", ASKED)
def test_questions_of_readers_are_answered_first_or_among_the_first_three(find, language):
    asked = questions(language)
    found = [places[:3] for places in find(language, [query for query, _expected in asked])]
    ranks = {
        query: next((rank for rank, place in enumerate(places) if place in expected), None)
        for (query, expected), places in zip(asked, found, strict=True)
    }
    later = {query: rank for query, rank in ranks.items() if rank != 0}
    assert len(asked) >= 60 and len(later) <= 0.03 * len(asked), later
    assert [query for query, rank in later.items() if rank is None] == []


@pytest.mark.parametrize("language", ASKED)
def test_questions_for_which_no_words_were_added_are_answered_as_well(find, language):
    """Who adds words to the search must not read these lists: they say how well it answers what nobody foresaw."""
    asked = questions(language, "unseen")
    found = find(language, [query for query, _expected in asked])
    later = [query for (query, expected), places in zip(asked, found, strict=True) if not {*expected} & {*places[:1]}]
    missed = [query for (query, expected), places in zip(asked, found, strict=True) if not {*expected} & {*places[:3]}]
    assert len(later) <= 0.2 * len(asked) and len(missed) <= 0.08 * len(asked), (len(later), len(missed))


@pytest.mark.parametrize("language", BOOK.languages)
def test_a_pasted_error_leads_to_a_chapter_that_provokes_it(find, language):
    provoking = {}
    for name, error in printed_errors():
        provoking.setdefault(error, set()).add(name)
    pages = [{place.partition("#")[0] for place in places[:3]} for places in find(language, list(provoking))]
    missed = [error for error, first in zip(provoking, pages, strict=True) if not first & provoking[error]]
    assert len(provoking) > 40 and missed == []


@pytest.mark.parametrize("language", BOOK.languages)
def test_a_result_is_a_section_with_the_words_in_the_text_around_them(look_for, language):
    page, found = look_for("BatchNorm", language)
    assert len(found) == 20
    assert page.locator("ol.search mark").count() >= 20
    page.locator("#search-results button").click()
    assert len(results(page)) > 20
    link = page.locator("ol.search a[href*='#']").first
    section = link.get_attribute("href").partition("#")[2]
    link.click()
    page.wait_for_url(f"**#{section}")
    assert page.locator(f"section[id='{section}']").count() == 1


@pytest.mark.parametrize("query", ODD.values(), ids=ODD)
def test_whatever_is_typed_is_text(look_for, query):
    page, found = look_for(query)
    assert found
    assert page.locator("article :is(img, b)").count() == 0 and page.title() != "1"


@pytest.mark.parametrize("language", SAME)
def test_forms_of_a_word_and_misspelled_ones_find_the_same(find, language):
    for pair in SAME[language].split():
        first, second = find(language, pair.replace("_", " ").split("="))
        assert first and first[0] == second[0], pair


@pytest.mark.parametrize("query, label", [("momentum", "data-found"), ("momentun", "data-similar")])
def test_the_page_says_whether_it_found_the_words_or_similar_ones(look_for, query, label):
    summary = look_for(query)[0].locator(".search-summary")
    assert summary.inner_text().startswith(summary.get_attribute(label))


@pytest.mark.parametrize("query", ["   ", "zzzz", "🔥"])
def test_where_nothing_is_found_the_page_says_so_or_waits_for_words(look_for, query):
    page, found = look_for(query)
    assert found == []
    assert bool(page.locator(".search-summary").inner_text()) == bool(query.strip())


def test_the_text_of_the_book_is_loaded_only_for_a_search(open_page, address):
    page, _errors = open_page("en/search.html", viewport=DESKTOP)
    loaded = "performance.getEntriesByType('resource').map(entry => entry.name).filter(name => /sections/.test(name))"
    assert page.evaluate(loaded) == []
    page.goto(f"{address}/en/search.html?q=dropout")
    assert results(page)
    assert page.evaluate(loaded)


def test_words_that_stand_everywhere_are_not_marked(look_for):
    page, (first, *_others) = look_for("what is a batch")
    marked = {word.lower() for word in page.locator("ol.search mark").all_inner_texts()}
    assert "batch" in marked and not marked & {"a", "is"}
    assert "highlight=" in (link := first.locator("a").get_attribute("href")) and "%20a" not in link.lower()


def test_a_search_that_cannot_be_loaded_says_so(open_page, address):
    page, _errors = open_page("en/search.html", viewport=DESKTOP)
    page.route("**/sections.js", lambda route: route.abort())
    page.goto(f"{address}/en/search.html?q=dropout")
    assert results(page) == []
    assert "could not be loaded" in page.locator(".search-summary").inner_text()
