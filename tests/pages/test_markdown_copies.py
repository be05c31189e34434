"""The copies of the pages in Markdown: the same cells and outputs as the notebooks, and links that lead somewhere."""

import re

import pytest

from ci.site import publish as site
from ci.site.export.markdown import SUFFIX, has_copy
from tests.pages.reading import BOOK, each, parsed_file

FENCE = re.compile(r"^( *)(`{3,})(\w*)\n(.*?)\n\1\2$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((\S+?)\)")
HANGUL = re.compile(r"[가-힣]")


def copy(name, language):
    return (site.published(BOOK) / language / f"{name}{SUFFIX}").read_text(encoding="utf-8")


def fences(text):
    return [(kind, code.rstrip()) for _indent, _ticks, kind, code in FENCE.findall(text)]


@each(BOOK.chapters)
def test_a_copy_has_the_cells_and_outputs_of_the_page(name, language):
    page = parsed_file(site.published(BOOK) / language / f"{name}.html")
    shown = [block.get_text().rstrip() for block in page.select("article pre")]
    copied = fences(copy(name, language))
    assert [code for _kind, code in copied] == shown
    cells = page.select("article .cell_input")
    assert sum(kind == "python" for kind, _code in copied) >= len(cells)


@each([name for name in BOOK.pages if has_copy(BOOK, name)])
def test_a_copy_is_plain_markdown_whose_links_lead_to_pages(name, language):
    text = FENCE.sub("", copy(name, language))
    assert text.startswith("# ")
    assert "```{" not in text and "{code-cell}" not in text
    assert not re.search(r"</?(div|span|section|table|img)\b", text)
    own = [target for target in LINK.findall(text) if target.startswith(BOOK.site)]
    for target in own:
        path = target.removeprefix(f"{BOOK.site}/").partition("#")[0]
        assert (site.published(BOOK) / path).exists(), target
    assert not [target for target in LINK.findall(text) if not re.match(r"https?://|mailto:", target)]


@pytest.mark.parametrize("language", BOOK.translations)
def test_a_translated_copy_is_in_its_language(language):
    for name in BOOK.chapters:
        prose = re.sub(r"`[^`]*`|\(\S+\)", "", FENCE.sub("", copy(name, language)))
        letters = re.findall(r"[A-Za-z가-힣]", prose)
        assert sum(map(bool, map(HANGUL.match, letters))) > 0.5 * len(letters), name
