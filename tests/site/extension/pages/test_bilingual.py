"""The site's extensions, in a small book that Sphinx really renders."""

import re

import pytest
from sphinx.cmd.build import main as sphinx

SETTINGS = {
    "extensions": ["myst_nb", "sphinx_external_toc"],
    "external_toc_path": "_toc.yml",
    "exclude_patterns": ["_build", "locale"],
    "locale_dirs": ["locale"],
    "gettext_compact": False,
    "translation_progress_classes": "untranslated",
    "book_languages": {"en": "English", "ko": "한국어"},
    "html_title": "A small book",
    "suppress_warnings": ["myst-nb.lexer"],
}
HEADERS = {"Last-Translator": "Kim & Lee <kim@example.org>", "PO-Revision-Date": "2026-11-21 12:00+0900"}


@pytest.fixture
def render(book, conf, catalogue, capsys):
    """Renders the small book in Korean with the catalogue of its chapter; returns (exit status, errors, the page)."""
    conf("bilingual", "additions", "elements", "tables", **SETTINGS)

    def render(entries):
        if entries is not None:
            catalogue(book.catalogue("book/part/one", "ko"), entries, HEADERS)
        output = book.root / "_build" / "html"
        status = sphinx(["-q", "-b", "html", "-D", "language=ko", str(book.root), str(output)])
        page = output / "book" / "part" / "one.html"
        return status, capsys.readouterr().err, page.read_text(encoding="utf-8") if page.exists() else ""

    return render


FINISHED = 'msgid "One"\nmsgstr "하나"\n\n'


def test_a_block_whose_english_has_changed_is_shown_in_english_and_marked(render):
    status, errors, page = render(FINISHED + '#, fuzzy\n#| msgid "Any text."\nmsgid "Some text."\nmsgstr "글."\n')
    assert (status, errors) == (0, "")
    assert re.search(r"<h1>하나<", page)
    assert '<p class="untranslated" lang="en">Some text.</p>' in page
    assert "글." not in page


def test_the_translator_is_credited_as_text_without_address(render):
    _, _, page = render(FINISHED + 'msgid "Some text."\nmsgstr ""\n')
    credit = re.search(r'<p class="translation-credit">(.*?)</p>', page)[1]
    assert credit == "Translation: Kim &amp; Lee · last change: 2026-11-21 · 50 % translated"


def test_a_page_without_catalogue_is_all_in_english(render):
    status, errors, page = render(None)
    assert (status, errors) == (0, "")
    assert re.search(r'<section class="untranslated"[^>]* lang="en"', page)
    assert "Some text." in page


@pytest.mark.parametrize("translation", ["<script>alert(1)</script>", "```{include} /etc/passwd\\n```"])
def test_nothing_hostile_reaches_a_page(render, translation):
    status, errors, page = render(FINISHED + f'msgid "Some text."\nmsgstr "{translation}"\n')
    assert status != 0
    assert "one.po:9: " in errors
    assert page == ""
