import re

import pytest

from ci.languages.ko.search import ENDING, Words

WORDS = Words({})


@pytest.mark.parametrize(
    "text, noun",
    [
        ("손실을", "손실"),
        ("배치마다", "배치"),
        ("미니배치로부터", "배치"),
        ("확률적경사하강법을", "경사하강법"),
        ("확률적경사하강법을", "하강"),
        ("평가합니다", "평가"),
        ("JAX에서는", "JAX"),
        ("(batch)는", "batch"),
        ("축으로", "축"),
        ("키를", "키"),
    ],
)
def test_a_page_is_found_by_the_bare_noun(text, noun):
    assert noun in WORDS.split(text)


def test_words_in_latin_letters_are_stemmed_as_in_english():
    assert WORDS.stem("schedules") == WORDS.stem("schedule")
    assert WORDS.stem("스케줄") == "스케줄"


@pytest.mark.parametrize(
    "query, stem", [("손실을", "손실"), ("평가", "평가"), ("에포크에서는", "에포크"), ("층", "층"), ("키를", "키를")]
)
def test_the_particle_of_a_query_is_cut_off_if_two_syllables_remain(query, stem):
    assert re.sub(f"^(..+?){ENDING}$", r"\1", query) == stem
