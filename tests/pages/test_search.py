"""Search: the questions of readers and the places that answer them, and whatever else may be typed."""

import csv
from pathlib import Path
from urllib.parse import quote

import pytest

from ci.execution.cache import executed
from ci.site import errors as printed_errors
from ci.site import publish as site
from tests.pages.reading import BOOK, DESKTOP, found_by_script, results

ODD = {
    "markup": "<img src=x onerror=document.title=1> <b>dropout</b>",
    "long": "dropout " * 1250,
    "emoji": "🔥 dropout 👩‍🔬",
    "emoji that is cut": "dropout" + " " * 200 + "x" * 92 + "🔥🔥",
    "regular expression": "(dropout[",
    "property": "__proto__ constructor dropout",
}


ASKED = sorted(path.suffixes[0][1:] for path in Path(__file__).parent.glob("questions.*.csv"))
SAME = [("embedding", "embeddings"), ("warning", "warnings"), ("colour", "color"), ("normalised", "normalized")]


def questions(language):
    """[(query, the places that are expected first)] of tests/pages/questions.LANGUAGE.csv."""
    with Path(__file__).with_name(f"questions.{language}.csv").open(encoding="utf-8", newline="") as file:
        return [(row["query"], row["expected"].split(";")) for row in csv.DictReader(file)]


def look_for(page, address, language, query):
    page.goto(f"{address}/{language}/search.html?q={quote(query)}")
    return results(page) if query.strip() else []


def test_there_are_questions_in_the_languages_of_the_book_so_far():
    assert set(ASKED) >= {BOOK.source_language, *list(BOOK.translations)[:1]}


@pytest.mark.parametrize("language", ASKED)
def test_questions_of_readers_are_answered_first_or_among_the_first_three(open_page, language):
    asked = questions(language)
    page, errors = open_page(f"{language}/search.html", viewport=DESKTOP)
    found = [places[:3] for places in found_by_script(page, [query for query, _expected in asked])]
    ranks = {
        query: next((rank for rank, place in enumerate(places) if place in expected), None)
        for (query, expected), places in zip(asked, found, strict=True)
    }
    later = {query: rank for query, rank in ranks.items() if rank != 0}
    assert len(asked) >= 60 and len(later) <= 0.05 * len(asked), later
    assert [query for query, rank in later.items() if rank is None] == []
    assert errors == []


@pytest.mark.parametrize("language", BOOK.languages)
def test_an_error_that_is_pasted_leads_to_a_chapter_that_provokes_it(open_page, language):
    page, _ = open_page(f"{language}/search.html", viewport=DESKTOP)
    provoking, meanings = {}, printed_errors.meanings(BOOK)
    chapters = {name: executed(BOOK).fetch(name).notebook for name in BOOK.chapters}
    for name in BOOK.chapters:
        for error in printed_errors.errors(name, chapters, meanings):
            provoking.setdefault(f"{error.name}: {error.text}", set()).add(name)
    found = [places[:3] for places in found_by_script(page, list(provoking))]
    pages = [{place.partition("#")[0] for place in places} for places in found]
    missed = [error for error, first in zip(provoking, pages, strict=True) if not first & provoking[error]]
    assert len(provoking) > 40 and missed == []


@pytest.mark.parametrize("language", BOOK.languages)
def test_a_result_is_a_section_with_the_words_in_the_text_around_them(open_page, address, language):
    page, errors = open_page(f"{language}/search.html", viewport=DESKTOP)
    found = look_for(page, address, language, "BatchNorm")
    assert len(found) == 20
    assert page.locator("ol.search mark").count() >= 20
    page.locator("#search-results button").click()
    assert len(results(page)) > 20
    link = page.locator("ol.search a[href*='#']").first
    section = link.get_attribute("href").partition("#")[2]
    link.click()
    page.wait_for_url(f"**#{section}")
    assert page.locator(f"section[id='{section}']").count() == 1
    assert errors == []


@pytest.mark.parametrize("query", ODD.values(), ids=ODD)
def test_whatever_is_typed_is_text(open_page, address, query):
    page, errors = open_page("en/search.html", viewport=DESKTOP)
    assert len(look_for(page, address, "en", query)) > 0
    assert page.locator("article :is(img, b)").count() == 0 and page.title() != "1"
    assert errors == []


MISSPELLED = {
    "momentun": "momentum",
    "scheduel": "schedule",
    "Adma": "adam",
    "chekpoint": "checkpoint",
    "drpout rate": "dropout rate",
    "체크포인드": "체크포인트",
}


@pytest.mark.parametrize("typed, meant", MISSPELLED.items())
def test_a_misspelled_word_finds_what_was_meant_and_the_page_says_so(open_page, address, typed, meant):
    language = BOOK.source_language if typed.isascii() else BOOK.translations[0]
    page, errors = open_page(f"{language}/search.html", viewport=DESKTOP)
    places = found_by_script(page, [typed, meant])
    assert places[0][:3] == places[1][:3]
    summary = page.locator(".search-summary")
    for query, label in ((meant, "data-found"), (typed, "data-similar")):
        look_for(page, address, language, query)
        assert summary.inner_text().startswith(summary.get_attribute(label))
    assert errors == []


@pytest.mark.parametrize("query", ["", "   ", "zzzz", "🔥"])
def test_where_nothing_is_found_the_page_says_so_or_waits_for_words(open_page, address, query):
    page, errors = open_page("en/search.html", viewport=DESKTOP)
    assert look_for(page, address, "en", query) == []
    assert bool(page.locator(".search-summary").inner_text()) == bool(query.strip())
    assert errors == []


def test_the_text_of_the_book_is_loaded_only_for_a_search(open_page, address):
    page, _ = open_page("en/search.html", viewport=DESKTOP)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}/en/search.html")
    assert asked and not [url for url in asked if url.endswith("sections.js")]
    look_for(page, address, "en", "dropout")
    assert [url for url in asked if url.endswith("sections.js")]


@pytest.mark.parametrize("language", BOOK.languages)
def test_search_works_from_files(open_page, language):
    start = site.published(BOOK).as_uri()
    page, errors = open_page(f"{language}/search.html", start=start)
    assert len(look_for(page, start, language, "BatchNorm")) == 20
    assert errors == []


@pytest.mark.parametrize("one, other", SAME)
def test_forms_of_a_word_find_the_same(open_page, one, other):
    page, _ = open_page("en/search.html", viewport=DESKTOP)
    first, second = found_by_script(page, [one, other])
    assert first and first == second


def test_words_that_stand_everywhere_are_not_marked(open_page, address):
    page, _ = open_page("en/search.html", viewport=DESKTOP)
    (first, *_) = look_for(page, address, "en", "what is a batch")
    marked = {word.lower() for word in page.locator("ol.search mark").all_inner_texts()}
    assert "batch" in marked and not marked & {"a", "is"}
    assert "highlight=" in (link := first.locator("a").get_attribute("href")) and "%20a" not in link.lower()


def test_a_search_that_cannot_be_loaded_says_so(open_page, address):
    page, _ = open_page("en/search.html", viewport=DESKTOP)
    page.route("**/sections.js", lambda route: route.abort())
    assert look_for(page, address, "en", "dropout") == []
    assert "could not be loaded" in page.locator(".search-summary").inner_text()
