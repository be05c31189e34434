import os
import re

import pytest
import yaml
from PIL import Image

from ci.book import here
from ci.catalogues import definitions, glossary, translation_progress
from ci.catalogues.po import load
from ci.execution import frameworks, stored
from ci.execution.cache import code_cells, executed, read
from ci.site import publish as site
from ci.site.extension.output.figures import NIGHT
from tests.pages.reading import DESKTOP, PAGES, PHONE, heading, parsed

BOOK = here()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("name, language", [page for page in PAGES if page[0] != "search"])
def test_page_opens_in_its_language_without_errors(shown, name, language, size):
    one = shown(name, language, size)
    page = one.page
    assert one.errors == []
    assert page.locator("html").get_attribute("lang") == language
    assert page.locator("article h1").first.inner_text().rstrip("#").strip() == heading(name, language)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "wider than the screen"
    folder = BOOK.root / "_build" / "reports" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"{language}-{os.path.basename(name)}-{size['width']}.png")


@pytest.mark.parametrize("language", BOOK.languages)
@pytest.mark.parametrize("name", BOOK.chapters)
def test_figures_are_shown_and_described_in_the_language_of_the_page(shown, name, language):
    page = shown(name, language).page
    figures = page.locator(".cell_output img.only-light")
    expected = [
        cell.metadata["mystnb"]["image"]["alt"] for cell in code_cells(read(BOOK, name)) if "mystnb" in cell.metadata
    ]
    if language in BOOK.translations:
        translations = load(BOOK.catalogue(name, language))
        expected = [translations.get(alt, alt) for alt in expected]
    nights = page.locator(".cell_output img.only-dark")
    for some in (figures, nights):
        assert some.evaluate_all("all => all.map(image => image.alt)") == expected
    for figure in [*figures.all(), *nights.all()]:
        figure.evaluate("image => { image.loading = 'eager'; return image.decode() }")  # which fails for a broken one


@pytest.mark.parametrize("language", BOOK.languages)
@pytest.mark.parametrize("name", BOOK.chapters)
def test_a_figure_is_shown_once_by_day_and_by_night(shown, name, language):
    theme = "theme => { document.body.dataset.theme = theme }"
    for scheme, chosen, kind in (
        ("light", "auto", "only-light"),
        ("dark", "auto", "only-dark"),
        ("dark", "light", "only-light"),
        ("light", "dark", "only-dark"),
    ):
        page = shown(name, language, scheme=scheme).page
        page.evaluate(theme, chosen)
        kinds = page.locator(".cell_output img:visible").evaluate_all("all => all.map(image => image.className)")
        assert all(kind in classes for classes in kinds)
        assert len(kinds) == page.locator(f".cell_output img.{kind}").count()
        page.evaluate(theme, "auto")


@pytest.mark.parametrize("language", BOOK.languages)
@pytest.mark.parametrize("name", BOOK.chapters)
def test_code_and_outputs_are_the_same_in_all_languages(shown, name, language):
    published = [block.get_text() for block in parsed(name, BOOK.source_language).select(".cell pre")]
    assert len(published) > 0
    assert shown(name, language).page.locator(".cell pre").all_text_contents() == published


@pytest.mark.parametrize("language", BOOK.translations)
def test_title_and_captions_are_translated(open_page, language):
    page, _ = open_page(f"{language}/{BOOK.pages[0]}.html", viewport=DESKTOP)
    translations = load(BOOK.catalogue(BOOK.pages[0], language))
    assert translations.get(BOOK.title, BOOK.title) in page.title()
    toc = yaml.safe_load((BOOK.root / "_toc.yml").read_text(encoding="utf-8"))
    captions = [part["caption"] for part in toc["parts"]]
    shown = page.locator(".sidebar-tree .caption-text").all_text_contents()
    assert shown == [translations.get(caption, caption) for caption in captions]


@pytest.mark.parametrize("language", BOOK.languages)
def test_the_front_door_leads_to_the_language_of_the_browser(open_page, address, language):
    page, _ = open_page("", locale=language)
    page.wait_for_url(f"{address}/{language}/{BOOK.pages[0]}.html")


def test_without_scripts_the_front_door_offers_all_languages(open_page):
    page, _ = open_page("", java_script_enabled=False)
    links = page.locator("a")
    assert [links.nth(i).get_attribute("lang") for i in range(links.count())] == list(BOOK.languages)


@pytest.mark.parametrize("language", BOOK.languages)
@pytest.mark.parametrize("name", BOOK.chapters)
def test_the_minutes_of_the_sections_add_up_to_those_of_the_chapter(name, language):
    page = parsed(name, language)
    shown = [one["data-minutes"] for one in page.select("article > section > section > h2")]
    whole = page.select_one(".page-tools > span").get_text()
    minutes = [int(re.match(r"\d+", text)[0]) for text in shown]
    assert sum(minutes) == int(re.search(r"\d+", whole)[0])
    assert page.title.get_text().startswith(heading(name, language))


def test_rendering_executed_nothing_itself():
    cache = executed(BOOK).entries
    for name in BOOK.chapters:
        # Without its frameworks a chapter has the outputs of its notebook, and the date of their execution.
        expected = stored.EXECUTION if frameworks.lacking(BOOK, name) else "code"
        assert expected in cache.match_cache_notebook(read(BOOK, name)).data, name
    assert all({"code", stored.EXECUTION} & record.data.keys() for record in cache.list_cache_records())


@pytest.mark.parametrize("language", BOOK.languages)
def test_the_status_page_lists_every_chapter_by_its_title(open_page, language):
    page, _ = open_page(f"{language}/book/status.html")
    chapters = page.locator("article table").first.locator("tbody tr")
    assert [row.locator("td").first.inner_text() for row in chapters.all()] == [
        heading(name, language) for name in BOOK.chapters
    ]
    for name, row in zip(BOOK.chapters, chapters.all(), strict=True):
        assert row.locator("td").nth(1).inner_text() == str(len(code_cells(read(BOOK, name))))
    versions = page.locator("article table").last.locator("td").all_text_contents()
    assert {"jax", "flax", "optax", "Python", "processor"} <= set(versions)


@pytest.mark.parametrize("language", BOOK.languages)
def test_the_glossary_lists_every_term(open_page, language):
    page, _ = open_page(f"{language}/book/glossary.html")
    shown = [language] if language in BOOK.translations else BOOK.translations
    terms = [term for code in shown for term in glossary.load(BOOK, code).terms]
    column = (
        "n => [...document.querySelectorAll(`article tbody td:nth-child(${n})`)].map(cell => cell.innerText.trim())"
    )
    assert page.evaluate(column, 1) == [", ".join(term.english) for term in terms]
    meaning = definitions.texts(BOOK, language)
    assert page.evaluate(column, 2) == [meaning.get(term.english[0], "") for term in terms]
    assert page.evaluate(column, 3) == [term.forms[0] for term in terms]


@pytest.mark.parametrize("language", BOOK.languages)
def test_the_progress_page_has_a_bar_for_each_page_and_language(open_page, language):
    page, _ = open_page(f"{language}/book/progress.html")
    rows = page.locator("article table tbody tr").all()
    expected = translation_progress.all_progress(BOOK, BOOK.pages)
    for row, one in zip(rows, expected, strict=True):
        assert row.locator("td").first.inner_text() == heading(one.page, language)
        assert row.locator("progress").get_attribute("value") == str(one.percent)


@pytest.mark.parametrize("language", BOOK.translations)
@pytest.mark.parametrize("name", BOOK.pages)
def test_a_translated_page_credits_those_who_made_it(shown, name, language):
    made = translation_progress.page_progress(BOOK, name, language)
    credit = shown(name, language).page.locator("article .translation-credit").inner_text()
    for part in (made.translator, made.reviewer, made.date, f"{made.percent}"):
        assert part in credit


def test_the_figures_have_no_white_sheet_by_night():
    folder = site.published(BOOK) / BOOK.source_language / "_images"
    days = [path for path in folder.glob("*.png") if (folder / NIGHT / path.name).exists()]
    assert len(days) > 40
    for path in days:
        with Image.open(path) as day, Image.open(folder / NIGHT / path.name) as dark:
            assert day.size == dark.size
            assert max(dark.convert("RGB").getpixel((0, 0))) < 40, path.name
