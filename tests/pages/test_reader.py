"""What a reader does: changes the language, searches, compares two columns, reads without scripts or a server."""

import os
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from ci.site import publish as site
from ci.site import releases
from tests.pages.reading import (
    AXE,
    BOOK,
    FRONT,
    PHONE,
    SEARCH,
    SIZES,
    TUTORIAL,
    each,
    heading,
    parsed,
    parsed_file,
    place,
    published,
)

LANGUAGES = pytest.mark.parametrize("language", BOOK.languages)
PAGES = [*BOOK.pages, SEARCH]
DECODED = "image => { image.loading = 'eager'; return image.decode().then(() => image.naturalWidth) }"


@SIZES
@LANGUAGES
def test_the_language_changes_on_the_same_section(open_page, address, language, size):
    page, _ = open_page(f"{language}/{TUTORIAL}.html", viewport=size)
    section = page.locator("article section[id]:not(:has(> h2 + section))").nth(5)  # its first words are its own
    fragment = section.get_attribute("id")
    section.evaluate("section => section.scrollIntoView({behavior: 'instant'})")
    for other in [code for code in BOOK.languages if code != language]:
        page.evaluate("scrollBy(0, 1)")
        link = page.locator(f".languages a[hreflang={other}]")
        link.evaluate("link => link.click()")
        page.wait_for_url(f"{address}/{other}/{TUTORIAL}.html#{fragment}", wait_until="domcontentloaded")


@each(PAGES)
def test_each_page_names_its_languages_and_links_well(name, language):
    page = parsed(name, language)
    outside = [link["href"] for link in page.select("a[href]") if "//" in link["href"]]
    assert [link for link in outside if not re.fullmatch(r"https://[a-z0-9.-]+\.[a-z]{2,}(/[^\s<>\"]*)?", link)] == []
    assert page.html["lang"] == language
    links = {link["hreflang"]: link["href"] for link in page.select("head link[hreflang]")}
    assert links == {
        **{code: f"{BOOK.site}/{code}/{name}.html" for code in BOOK.languages},
        "x-default": f"{BOOK.site}/{BOOK.source_language}/{name}.html",
    }
    shown = [(link["lang"], link.get_text(), "aria-current" in link.attrs) for link in page.select(".languages a")]
    assert shown == [(code, label, code == language) for code, label in BOOK.languages.items()]


@each(BOOK.pages)
def test_each_page_has_its_title_and_describes_itself_to_other_sites(name, language):
    page = parsed(name, language)

    def content(key):
        return page.select_one(f'meta[property="{key}"], meta[name="{key}"]')["content"]

    assert page.select_one("link[rel=canonical]")["href"] == f"{BOOK.site}/{language}/{name}.html"
    title = heading(name, language)
    assert content("og:title") == page.select_one("article h1").get_text().rstrip("#").strip() == title
    assert page.title.get_text().startswith(title)
    assert len(content("description")) > 30
    assert content("description") == content("og:description")
    picture = content("og:image").removeprefix(f"{BOOK.site}/")
    assert (site.published(BOOK) / picture).is_file()


@LANGUAGES
def test_the_choice_of_a_language_is_remembered(open_page, address, language):
    page, _ = open_page(f"{BOOK.source_language}/{FRONT}.html", locale="de")
    page.locator(f".languages a[hreflang={language}]").click()
    page.wait_for_url(f"**/{language}/**")
    page.goto(f"{address}/")
    page.wait_for_url(f"{address}/{language}/{FRONT}.html")


@LANGUAGES
def test_buttons_copy_code_without_its_output_and_the_page_as_markdown(open_page, language):
    page, _ = open_page(f"{language}/{TUTORIAL}.html", permissions=["clipboard-read", "clipboard-write"])
    cell = page.locator(".side-with").first
    cell.scroll_into_view_if_needed()
    for button, text in (
        (cell.locator(".copy"), cell.locator("pre").first.text_content()),
        (page.locator(".page-tools .copy"), published(TUTORIAL, language).with_suffix(".md").read_text("utf-8")),
    ):
        button.click()
        expect(button).to_have_text(button.get_attribute("data-done"))
        assert page.evaluate("navigator.clipboard.readText()") == text


@LANGUAGES
def test_without_scripts_the_book_reads_and_navigates(open_page, address, language):
    page, errors = open_page(f"{language}/{FRONT}.html", java_script_enabled=False, viewport=PHONE)
    for name in BOOK.pages[1:3]:
        page.locator(".next-page").scroll_into_view_if_needed()  # or what then gets its height moves it away
        page.locator(".next-page").click()
        page.wait_for_url(f"{address}/{language}/{name}.html")
        assert page.locator("article h1").is_visible()
    page.locator(".nav-overlay-icon").click()
    assert page.locator(".sidebar-tree a").first.is_visible()
    page.keyboard.press("Escape")
    for other in BOOK.languages:
        page.goto(f"{address}/{language}/{BOOK.chapters[0]}.html")
        page.locator(f".languages a[hreflang={other}]").click()
        page.wait_for_url(f"{address}/{other}/{BOOK.chapters[0]}.html")
    assert page.locator(".copy:visible").count() == 0
    assert errors == []


SCROLLING = """() => [...document.querySelectorAll("article .highlight pre")]
  .filter(pre => pre.checkVisibility() && pre.scrollWidth > pre.clientWidth).length"""
PASSED = """async () => {
  for (const block of document.querySelectorAll("article .highlight")) {
    block.scrollIntoView({ behavior: "instant" })
    await new Promise(requestAnimationFrame)
  }
}"""
TEXTS = "() => [...document.querySelectorAll('article .highlight pre')].map(pre => pre.textContent)"


@LANGUAGES
def test_long_lines_wrap_at_a_touch_on_all_pages_and_keep_their_text(open_page, address, language):
    page, errors = open_page(f"{language}/{BOOK.chapters[0]}.html", viewport=PHONE)
    page.evaluate(PASSED)
    before, texts = page.evaluate(SCROLLING), page.evaluate(TEXTS)
    assert before > 10
    page.locator(".wrap").first.click()
    assert page.evaluate(SCROLLING) == 0
    assert page.evaluate(TEXTS) == texts
    page.goto(f"{address}/{language}/{BOOK.chapters[1]}.html")
    page.evaluate(PASSED)
    assert page.locator(".wrap").count() > 10 and page.evaluate(SCROLLING) == 0
    page.locator(".wrap").first.click()
    assert page.evaluate(SCROLLING) > 10
    page.evaluate("localStorage.setItem('wrap-lines', '<b>')")
    page.reload()
    page.evaluate(PASSED)
    assert page.evaluate(SCROLLING) > 10
    assert errors == []


@LANGUAGES
def test_the_book_reads_from_its_files(open_page, language):
    start = site.published(BOOK).as_uri()
    page, errors = open_page(f"{language}/{BOOK.chapters[0]}.html", start=start)
    assert page.locator("article img").first.evaluate(DECODED) > 0
    assert "sans-serif" in page.locator("article").evaluate("article => getComputedStyle(article).fontFamily")
    assert errors == []


@SIZES
def test_the_keyboard_reaches_the_text_first_and_shows_where_it_is(open_page, size):
    page, _ = open_page(f"en/{BOOK.chapters[0]}.html", viewport=size)
    for _step in range(4):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('skip-to-content')"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/*#furo-main-content")
    page.locator(".languages a").first.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def is_frozen(path):
    """Whether a file belongs to a release, which stays as it is."""
    return any(path.is_relative_to(site.published(BOOK) / version) for version in releases.versions(BOOK))


def edited(pattern):
    return [path for path in site.published(BOOK).rglob(pattern) if not is_frozen(path)]


def test_no_page_names_another_site_to_load_from():
    for path in edited("*.html"):
        page = parsed_file(path)
        loaded = [node.get("src") for node in page.select("[src]")]
        loaded += [node["href"] for node in page.select("link[rel~=stylesheet], link[rel~=icon], link[rel~=preload]")]
        assert [address for address in loaded if re.match(r"(?:\w+:)?//", address)] == [], path
    for path in edited("*.css"):
        assert not re.search(r"url\(['\"]?(?:https?:)?//|@import", path.read_text(encoding="utf-8")), path


def test_every_link_within_the_book_leads_somewhere():
    pages = {path: parsed_file(path) for path in edited("*.html")}
    names = {path: {node["id"] for node in page.select("[id]")} for path, page in pages.items()}
    checked = 0
    for path, page in pages.items():
        for link in page.select("a[href], link[href]:not([rel=search])"):
            target, _, section = unquote(link["href"]).partition("#")
            if "//" in target or target.startswith(urlsplit(BOOK.site).path + "/"):
                continue
            file = Path(os.path.normpath(path.parent / target.partition("?")[0])) if target else path
            if file not in pages and is_frozen(file):
                continue
            assert file.is_file(), f"{path}: dead link {link['href']}"
            assert not section or section in names[file], f"{path}: no section {link['href']}"
            checked += 1
    assert checked > 100 * len(BOOK.languages)


def test_the_sitemap_lists_files_that_exist():
    tree = ElementTree.parse(site.published(BOOK) / "sitemap.xml")
    found = [node.text for node in tree.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]
    assert len(found) == len(BOOK.pages) * len(BOOK.languages)
    for address in found:
        assert (site.published(BOOK) / address.removeprefix(f"{BOOK.site}/")).is_file()


def test_a_missing_page_is_explained_in_both_languages(open_page):
    page, errors = open_page("404.html")
    assert [section.get_attribute("lang") for section in page.locator("section").all()] == list(BOOK.languages)
    assert errors == []
    assert AXE.run(page).violations_count == 0


TOP = 150  # pixels from the top of the window, with the bar of a phone


def is_at_the_top(page, fragment):
    """Whether the place of a fragment is at the top of the window, and not behind the bar of a phone."""
    top = place(page, fragment)
    bar = page.locator(".mobile-header").bounding_box()
    return (bar["height"] if bar else 0) <= top < TOP


@SIZES
def test_who_comes_for_a_section_finds_it_at_the_top(open_page, size):
    name = BOOK.chapters[-1]
    fragment = parsed(name, BOOK.source_language).select("article > section > section")[-2]["id"]
    page, _errors = open_page(f"{BOOK.source_language}/{name}.html#{fragment}", viewport=size)
    assert is_at_the_top(page, fragment)


@SIZES
def test_the_contents_of_a_page_lead_to_a_section_and_are_out_of_the_way(open_page, size):
    name = BOOK.chapters[0]
    page, _errors = open_page(f"{BOOK.source_language}/{name}.html", viewport=size)
    opener = page.locator(".mobile-header .toc-overlay-icon, .content-icon-container .toc-overlay-icon")
    opener.locator("visible=true").first.click()
    link = page.locator(".toc-drawer a").last
    fragment = link.get_attribute("href").removeprefix("#")
    link.click()
    assert not page.locator("#__toc").is_checked()
    is_last = "() => scrollY + innerHeight >= document.documentElement.scrollHeight - 2"
    assert is_at_the_top(page, fragment) or page.evaluate(is_last)


def test_the_front_door_opens_where_a_browser_forbids_to_remember(open_page, address):
    page, _errors = open_page("404.html", locale=BOOK.translations[0])
    forbid = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no') } })"
    page.context.add_init_script(forbid)
    page.goto(f"{address}/index.html")
    page.wait_for_url(f"{address}/{BOOK.translations[0]}/{FRONT}.html")
