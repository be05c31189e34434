"""What the pages of the built book say and show, in each language."""

from pathlib import Path

import pytest
import yaml
from PIL import Image

from ci.catalogues import glossary, translation_progress
from ci.execution import frameworks, stored
from ci.execution.cache import code_cells, executed, read
from ci.site import publish as site
from ci.site.extension.output.figures import NIGHT
from tests.pages.reading import (
    AXE,
    BOOK,
    DESKTOP,
    FITS,
    FRONT,
    PHONE,
    SEARCH,
    each,
    heading,
    opened,
    parsed,
    published,
    translations,
)

PAGES = [*BOOK.pages, SEARCH]
LANGUAGES = pytest.mark.parametrize("language", BOOK.languages)


def texts(page, selector):
    return [node.get_text() for node in page.select(selector)]


@opened(PAGES)
def test_a_page_fits_the_screen_and_is_accessible_without_errors(shown, name, language):
    """Axe looks by day at a phone or by night at a desktop, in turn: it is slow, and the languages share a form."""
    number = PAGES.index(name) + list(BOOK.languages).index(language)
    for turn, (size, scheme) in enumerate([(PHONE, "light"), (DESKTOP, "dark")]):
        tab = shown(name, language, size, scheme)
        assert tab.page.evaluate(FITS), "wider than the screen"
        path = BOOK.built("reports", "screenshots", f"{language}-{Path(name).name}-{size['width']}.png")
        path.parent.mkdir(parents=True, exist_ok=True)
        tab.page.screenshot(path=path)
        if number % 2 == turn:
            found = AXE.run(tab.page, options={"resultTypes": ["violations"]})
            assert found.violations_count == 0, found.generate_report()
        assert tab.errors == []


@each(BOOK.chapters)
def test_figures_are_described_in_the_language_of_the_page_and_can_be_drawn(name, language):
    cells = [cell for cell in code_cells(read(BOOK, name)) if "mystnb" in cell.metadata]
    descriptions = [cell.metadata["mystnb"]["image"]["alt"] for cell in cells]
    translated = translations(name, language)
    for kind in ("only-light", "only-dark"):
        figures = parsed(name, language).select(f".cell_output img.{kind}")
        assert [figure["alt"] for figure in figures] == [translated.get(text, text) for text in descriptions]
        for figure in figures:
            with Image.open(published(name, language).parent / figure["src"]) as picture:
                picture.verify()


@opened(BOOK.chapters, languages=[BOOK.source_language])
def test_a_figure_is_shown_once_by_day_and_by_night(shown, name, language):
    theme = "theme => { document.body.dataset.theme = theme }"
    decode = "all => Promise.all(all.map(image => { image.loading = 'eager'; return image.decode() }))"
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
        figures = page.locator(f".cell_output img.{kind}:not(.explored *)")
        assert len(kinds) == figures.count()
        figures.evaluate_all(decode)  # which fails for a picture that the browser cannot show
        page.evaluate(theme, "auto")


@pytest.mark.parametrize("name", BOOK.chapters)
def test_sections_code_and_outputs_are_the_same_in_all_languages(name):
    pages = [parsed(name, code).select("article section, .cell pre") for code in BOOK.languages]
    first, *others = ([part.get("id") or part.get_text() for part in page] for page in pages)
    assert first
    assert all(other == first for other in others)


@LANGUAGES
def test_title_and_captions_are_translated(language):
    translated = translations(FRONT, language)
    assert translated.get(BOOK.title, BOOK.title) in parsed(FRONT, language).title.get_text()
    toc = yaml.safe_load((BOOK.root / "_toc.yml").read_text(encoding="utf-8"))
    captions = [part["caption"] for part in toc["parts"]]
    shown = texts(parsed(FRONT, language), ".sidebar-tree .caption-text")
    assert shown == [translated.get(caption, caption) for caption in captions]


def test_rendering_executed_nothing_itself():
    cache = executed(BOOK).entries
    for name in BOOK.chapters:
        # Without its frameworks a chapter has the outputs of its notebook, and the date of their execution.
        expected = stored.EXECUTION if frameworks.lacking(BOOK, name) else "code"
        assert expected in cache.match_cache_notebook(read(BOOK, name)).data, name
    assert all({"code", stored.EXECUTION} & record.data.keys() for record in cache.list_cache_records())


@LANGUAGES
def test_the_status_page_lists_every_chapter_by_its_title(language):
    chapters, _environments = parsed("book/status", language).select("article table")
    rows = [[cell.get_text().strip() for cell in row.select("td")[:2]] for row in chapters.select("tbody tr")]
    assert rows == [[heading(name, language), str(len(code_cells(read(BOOK, name))))] for name in BOOK.chapters]


@LANGUAGES
def test_the_glossary_lists_every_term(language):
    page = parsed("book/glossary", language)
    shown = [language] if language in BOOK.translations else BOOK.translations
    terms = [term for code in shown for term in glossary.load(BOOK, code).terms]
    meaning = glossary.definitions(BOOK, language)
    english, meanings, translated = (texts(page, f"article tbody td:nth-of-type({column})") for column in (1, 2, 3))
    assert english == [", ".join(term.english) for term in terms]
    assert meanings == [meaning.get(term.english[0], "") for term in terms]
    assert translated == [term.forms[0] for term in terms]


@LANGUAGES
def test_the_progress_page_has_a_bar_for_each_page_and_language(language):
    rows = parsed("book/progress", language).select("article table tbody tr")
    shown = [(row.td.get_text(), row.find("progress")["value"]) for row in rows]
    expected = translation_progress.all_progress(BOOK, BOOK.pages)
    assert shown == [(heading(page.page, language), str(page.percent)) for page in expected]


@pytest.mark.parametrize("language", BOOK.translations)
@pytest.mark.parametrize("name", BOOK.pages)
def test_a_translated_page_credits_those_who_made_it(name, language):
    made = translation_progress.page_progress(BOOK, name, language)
    credit = parsed(name, language).select_one("article .translation-credit").get_text()
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
