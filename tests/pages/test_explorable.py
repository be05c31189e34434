"""Explorable figures: sliders by hand and by keyboard, what is read aloud, and the picture where they cannot work."""

import json

import pytest
from playwright.sync_api import expect

from tests.pages.reading import AXE, BOOK, DESKTOP, FITS, PHONE, each, parsed

NAMES = [name for name in BOOK.chapters if parsed(name, BOOK.source_language).select(".explorable")]
DROPOUT = next(name for name in NAMES if name.endswith("/dropout"))
LANGUAGES = pytest.mark.parametrize("language", BOOK.languages)
DRAWN = ".explored [role=group]"
PICTURE = ".explorable img:visible"
BROKEN = [
    "{",
    "7",
    '[{"slider": "a", "x": "b", "y": "c", "at": [1, 2]}]',
    '[{"at": [1, 2]}, {"choice": "a", "label": "a", "values": [1]}]',
    '[{"at": [1, 2]}, {"choice": "a", "label": "a", "values": ["1", "2"]}]',
    '[{"at": [1, 2]}, {"choice": "a", "label": "a", "values": [null, null]}]',
]
HOSTILE = '<img src=x onerror="document.title = 1">'


def stored(name, language=BOOK.source_language):
    return [template["data-curves"] for template in parsed(name, language).select(".explorable > template")]


@pytest.fixture
def open_with(open_page, address):
    """Opens the chapter on dropout with other curves in place of its own."""

    def open_with(curves):
        page, errors = open_page("404.html")

        def answer(route):
            html = parsed(DROPOUT, "en").__copy__()
            html.select_one(".explorable > template")["data-curves"] = curves
            route.fulfill(body=str(html), content_type="text/html; charset=utf-8")

        page.route(f"**/{DROPOUT}.html", answer)
        page.goto(f"{address}/en/{DROPOUT}.html")
        return page, errors

    return open_with


@each(NAMES)
def test_the_figure_is_drawn_in_place_of_the_picture(open_page, name, language):
    page, errors = open_page(f"{language}/{name}.html")
    assert stored(name, language) == stored(name)
    for size, scheme in ((PHONE, "light"), (DESKTOP, "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        expect(page.locator(DRAWN)).to_have_count(len(stored(name)))
        expect(page.locator(PICTURE)).to_have_count(0)
        assert page.evaluate(FITS)
        page.locator(DRAWN).first.scroll_into_view_if_needed()
        assert AXE.run(page, ".explorable").response["violations"] == []
    page.emulate_media(media="print", color_scheme="light")
    expect(page.locator(DRAWN)).to_be_hidden()
    expect(page.locator(PICTURE)).to_have_count(len(stored(name)))
    assert errors == []


@LANGUAGES
def test_the_keyboard_moves_the_sliders_and_the_values_are_said(open_page, language):
    page, errors = open_page(f"{language}/{DROPOUT}.html", viewport=PHONE)
    head, *curves = json.loads(stored(DROPOUT)[0])
    choices = list(dict.fromkeys(curve["choice"] for curve in curves))
    group = page.get_by_role("group", name=page.locator(DRAWN).get_attribute("aria-label"))
    choice, end = group.get_by_role("slider").all()
    assert [slider.evaluate("input => input.labels[0].firstElementChild.textContent") for slider in (choice, end)] == [
        head["slider"],
        head["x"],
    ]
    alt = parsed(DROPOUT, language).select_one(".explorable img")["alt"]
    expect(group.get_by_role("img", name=alt)).to_be_visible()
    choice.focus()
    page.keyboard.press("End")
    expect(choice).to_have_attribute("aria-valuetext", choices[-1])
    end.focus()
    for place, key in ((-1, "End"), (-2, "ArrowLeft"), (0, "Home"), (1, "ArrowRight")):
        page.keyboard.press(key)
        expect(end).to_have_attribute("aria-valuetext", str(head["at"][place]))
        said = group.get_by_role("status").inner_text().splitlines()
        shown = [curve for curve in curves if curve["choice"] == choices[-1]]
        for sentence, curve in zip(said, shown, strict=True):
            until = curve["values"][: head["at"].index(head["at"][place]) + 1]
            for number in (until[-1], min(until)):
                assert page.evaluate("number => number.toPrecision(3)", number) in sentence  # rounds 1.125 up
            assert sentence.startswith(curve["label"]) and str(head["at"][until.index(min(until))]) in sentence
    assert errors == []


def test_without_scripts_the_picture_is_shown(open_page):
    page, _ = open_page(f"en/{DROPOUT}.html", java_script_enabled=False)
    expect(page.locator(PICTURE)).to_have_count(1)
    expect(page.locator(".explorable input")).to_have_count(0)


@pytest.mark.parametrize("curves", BROKEN)
def test_the_picture_stays_where_the_curves_are_broken(open_with, curves):
    page, errors = open_with(curves)
    expect(page.locator(PICTURE)).to_have_count(1)
    expect(page.locator(DRAWN)).to_have_count(0)
    assert errors == []


def test_labels_are_text(open_with):
    head = {"slider": HOSTILE, "x": HOSTILE, "y": HOSTILE, "at": [1, 2]}
    curve = {"choice": HOSTILE, "label": HOSTILE, "values": [None, 1], "more": HOSTILE}
    page, errors = open_with(json.dumps([head, curve, curve | {"values": [2, 1]}]))
    expect(page.locator(f"{DRAWN} output")).to_contain_text(HOSTILE)
    assert page.locator(f"{DRAWN} img").count() == 0 and page.title() != "1"
    assert errors == []
