"""What a browser keeps of its reader: the choice between Linen and NNX, and how far the reader is."""

import itertools
import json

import pytest
from playwright.sync_api import expect

from tests.pages.reading import AXE, BOOK, DESKTOP, FRONT, PHONE, parsed, place

LANGUAGES = pytest.mark.parametrize("language", BOOK.languages)
PAIRS = [name for name in BOOK.chapters if parsed(name, BOOK.source_language).select(".side-linen")]
FIRST = BOOK.chapters[0]
NAME = FIRST.rpartition("/")[2]
BROKEN = ["{", "null", '"<img src=x onerror=alert(1)>"', '{"read": 7, "last": 7}']
BROKEN += ['{"read": ["a page of an older edition"], "last": {"page": "<b>", "section": {}}}']
LINEN, NNX = ".side-linen", ".side-nnx"


def choose(page, which):
    """Press the first button for "linen", "nnx" or "both"."""
    page.locator(f".interface [value={which}]").first.click()


@LANGUAGES
def test_one_choice_between_linen_and_nnx_holds_on_all_pages(open_page, address, language):
    page, errors = open_page(f"{language}/{PAIRS[0]}.html", viewport=PHONE)
    expect(page.locator(".interface")).to_have_count(page.locator(LINEN).count())
    choose(page, "nnx")
    page.goto(f"{address}/{language}/{PAIRS[1]}.html")
    expect(page.locator(NNX).first).to_be_visible()
    expect(page.locator(f"{LINEN}:visible")).to_have_count(0)
    choose(page, "linen")
    expect(page.locator(LINEN).first).to_be_visible()
    expect(page.locator(f"{NNX}:visible")).to_have_count(0)
    choose(page, "both")
    expect(page.locator(f"{LINEN}:visible")).to_have_count(page.locator(NNX).count())
    assert AXE.run(page, "article").response["violations"] == []
    assert errors == []


def test_the_button_stays_under_the_finger(open_page):
    page, _ = open_page(f"en/{PAIRS[0]}.html", viewport=PHONE)
    button = page.locator(".interface [value=nnx]").last
    button.scroll_into_view_if_needed()
    before = button.bounding_box()["y"]
    button.click()
    assert button.bounding_box()["y"] == pytest.approx(before, abs=60)  # buttons that wrap lines may come later


def test_without_scripts_both_are_shown(open_page):
    page, _ = open_page(f"en/{PAIRS[0]}.html", java_script_enabled=False)
    expect(page.locator(f"{LINEN}:visible")).to_have_count(page.locator(NNX).count())
    expect(page.locator(".interface")).to_have_count(0)


@LANGUAGES
def test_the_front_page_says_how_far_a_reader_is_and_leads_on(open_page, address, language):
    page, errors = open_page(f"{language}/{FRONT}.html", viewport=DESKTOP)
    expect(page.locator(".progress")).to_be_hidden()
    page.goto(f"{address}/{language}/{FIRST}.html")
    page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
    place(page, "questions")
    expect(page.locator(".read")).to_have_count(0)
    page.locator(".related-pages").scroll_into_view_if_needed()
    expect(page.locator(".sidebar-tree .current > a .read")).to_have_count(1)
    section = page.locator("article section section[id]").nth(1)
    section.evaluate("section => section.scrollIntoView({ behavior: 'instant' })")
    page.goto(f"{address}/{language}/{FRONT}.html")
    said = page.locator(".progress span")
    expect(said).to_have_text(said.get_attribute("data-said").replace("{read}", "1").replace("{answers}", "0"))
    expect(page.locator(".sidebar-tree .read")).to_have_count(1)
    heading = parsed(FIRST, language).select("article section section[id] > :is(h2, h3)")[1].find(string=True)
    expect(page.locator(".progress a")).to_contain_text(f": {heading}")
    page.locator(".progress a").click()
    page.wait_for_url(f"**/{FIRST}.html#*")
    page.goto(f"{address}/{language}/{FRONT}.html")
    page.locator(".progress button").click()
    expect(page.locator(".progress")).to_be_hidden()
    expect(page.locator(".read")).to_have_count(0)
    page.reload()
    expect(page.locator(".progress")).to_be_hidden()
    assert errors == []


def test_a_chapter_that_a_phone_puts_aside_is_remembered(open_page):
    page, _ = open_page(f"en/{FIRST}.html")
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true })")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
    assert json.loads(page.evaluate("localStorage.getItem('progress')"))["last"]["page"] == FIRST


def test_what_is_kept_and_broken_breaks_nothing(open_page, address):
    page, errors = open_page(f"en/{PAIRS[0]}.html")
    for kept in BROKEN:
        page.goto(f"{address}/en/{PAIRS[0]}.html")
        page.evaluate("kept => localStorage.setItem('interface', kept)", kept)
        page.reload()
        expect(page.locator(f"{LINEN}:visible")).to_have_count(page.locator(NNX).count())
        page.goto(f"{address}/en/{FRONT}.html")
        page.evaluate("kept => localStorage.setItem('progress', kept)", kept)
        page.evaluate("kept => localStorage.setItem(`questions:${kept[0]}`, kept[1])", [FIRST, kept])
        page.reload()
        expect(page.locator(".sidebar-tree a").first).to_be_attached()
        expect(page.locator(".progress")).to_be_hidden()
        assert errors == [] and page.locator("article img[src=x]").count() == 0


def test_the_progress_names_a_chapter_by_its_title_in_the_language(open_page):
    last = {"page": FIRST, "section": ""}
    for language, more in itertools.product(BOOK.languages, [{"heading": {}}, {"heading": "b", "language": "other"}]):
        kept = json.dumps({"read": [], "last": last | {"language": language} | more})
        page, _ = open_page(f"{language}/{FRONT}.html")
        page.evaluate("kept => localStorage.setItem('progress', kept)", kept)
        page.reload()
        link = page.locator(".progress a")
        title = page.locator(f".sidebar-tree a[href$='{NAME}.html']").inner_text()
        expect(link).to_have_text(link.get_attribute("data-said").replace("{title}", title))
