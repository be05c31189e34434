"""Questions: tutorials have some, alike in all languages; they count, remember, forget, and need no script."""

import itertools
import json

import pytest
from playwright.sync_api import expect

from tests.conftest import in_depth
from tests.pages.reading import BOOK, PHONE, parsed

TUTORIALS = [name for name in BOOK.chapters if not in_depth(name)]
NAME = TUTORIALS[0]


def right(name, language):
    return [field["data-right"] for field in parsed(name, language).select(".questions fieldset")]


@pytest.mark.parametrize("name", TUTORIALS)
def test_a_tutorial_asks_three_to_five_questions_alike_in_all_languages(name):
    letters = right(name, BOOK.source_language)
    assert 3 <= len(letters) <= 5 and len(set(letters)) > 1
    for language in BOOK.translations:
        assert right(name, language) == letters


def at_the_questions(language=BOOK.source_language, name=NAME):
    """Where they are on the page; all before them is laid out for who comes there, so nothing moves under a click."""
    return f"{language}/{name}.html#questions"


def answer(page, number, letter):
    question = page.locator(".questions fieldset").nth(number)
    question.locator(f"input[value={letter}]").check()
    question.locator("summary").click()


def other(letter):
    return "A" if letter != "A" else "B"


@pytest.mark.parametrize("language", BOOK.languages)
def test_answers_are_judged_counted_and_kept(open_page, language):
    page, errors = open_page(at_the_questions(language), viewport=PHONE)
    letters, score = right(NAME, language), page.locator(".questions [role=status]")
    expect(score).to_have_text("")
    answer(page, 0, letters[0])
    answer(page, 1, other(letters[1]))
    expect(page.locator(".verdict")).to_have_count(2)
    said = score.get_attribute("data-said")
    assert score.inner_text() == said.replace("{right}", "1").replace("{total}", str(len(letters)))
    page.reload()
    words = [score.get_attribute("data-right"), score.get_attribute("data-wrong")]
    expect(page.locator(".verdict")).to_have_count(2)
    assert [text.split(maxsplit=1)[1] for text in page.locator(".verdict").all_text_contents()] == words
    for number in (0, 1):
        page.locator(".questions summary").nth(number).click()
    expect(score).to_have_text("")
    assert errors == []


def test_an_answer_read_without_a_choice_does_not_count(open_page):
    page, _ = open_page(at_the_questions())
    page.locator(".questions summary").first.click()
    expect(page.locator(".questions details[open]")).to_have_count(1)
    expect(page.locator(".questions [role=status]")).to_have_text("")
    expect(page.locator(".verdict")).to_have_count(0)


def test_what_is_kept_of_other_questions_is_forgotten(open_page):
    page, errors = open_page(at_the_questions())
    letters = "".join(right(NAME, BOOK.source_language))
    older = json.dumps({"right": "an older edition", "chosen": ["A", "A", "A", "A"]})
    odd = [json.dumps({"right": letters, "chosen": chosen}) for chosen in ("AAAA", ["<b>", 1, None, {"a": 1}, "Z"])]
    for kept in ("{", "null", '"ABC"', older, *odd):
        page.evaluate("([key, value]) => localStorage.setItem(key, value)", [f"questions:{NAME}", kept])
        page.reload()
        expect(page.locator(".questions [role=status]")).to_have_text("")
        expect(page.locator(".verdict")).to_have_count(0)
        assert page.locator(".questions :is(details[open], input:checked)").count() == 0, kept
    answer(page, 0, "A")
    expect(page.locator(".verdict")).to_have_count(1)
    assert errors == []


def test_without_scripts_one_chooses_and_opens(open_page):
    page, _ = open_page(at_the_questions(), java_script_enabled=False)
    answer(page, 0, "A")
    expect(page.locator(".questions details p").first).to_be_visible()


def test_neither_enter_on_an_option_nor_a_term_in_an_answer_leaves_the_page(open_page):
    pairs = itertools.product(BOOK.languages, TUTORIALS)
    language, name = next(pair for pair in pairs if parsed(pair[1], pair[0]).select(".questions .term"))
    page, errors = open_page(at_the_questions(language, name))
    address = page.url
    page.locator(".questions input").first.focus()
    page.keyboard.press("Enter")
    term = page.locator(".questions .term").first
    term.evaluate("term => { term.closest('details').open = true }")
    term.click()
    expect(page.locator(".definition:popover-open")).to_have_count(1)
    assert page.url == address and errors == []


def test_questions_work_where_the_browser_keeps_nothing(open_page):
    page, _errors = open_page(at_the_questions())
    # The scripts of the theme fail then, and these must not.
    forbid = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError') } })"
    page.add_init_script(forbid)
    page.reload()
    answer(page, 0, "A")
    expect(page.locator(".verdict")).to_have_count(1)
