"""Some pages of the built book, printed: what a reader of the PDF sees.

poppler reads the text, many times as fast as pypdf; pypdf reads the bookmarks.
"""

import re
import shutil
import subprocess
from copy import copy

import pytest
from pypdf import PdfReader

from ci.site.export import paper, pdf
from tests.pages.reading import BOOK, FRONT, TUTORIAL, heading, parsed

NAMES = [FRONT, TUTORIAL, BOOK.pages[-2]]
MARGIN = 50  # points at the left and the right, in which nothing stands
BETWEEN = ["-x", "0", "-y", "50", "-W", "595", "-H", "742"]  # an A4 page without its heading and its number
WORD = re.compile(r'<word xMin="([\d.-]+)" yMin="[\d.-]+" xMax="([\d.-]+)"')
WIDTH = re.compile(r'<page width="([\d.]+)"')


@pytest.fixture(scope="module", params=BOOK.languages)
def printed(request, browser, tmp_path_factory):
    """(language, path of the PDF) of some pages."""
    if not shutil.which("pdftotext"):
        pytest.skip("nothing here reads the text of a PDF (Debian: apt install poppler-utils)")
    folder = tmp_path_factory.mktemp("pdf")
    (folder / "book.html").write_text(paper.document(BOOK, request.param, NAMES), encoding="utf-8")
    tab = browser.new_page()
    tab.goto((folder / "book.html").as_uri())
    (folder / "book.pdf").write_bytes(pdf.draw(tab))
    tab.close()
    return request.param, folder / "book.pdf"


def read(path, *options):
    """The text of a PDF."""
    return subprocess.run(["pdftotext", *options, path, "-"], capture_output=True, text=True, check=True).stdout


def pages(path):
    """The texts of the pages, with one space between two words."""
    return [" ".join(page.split()) for page in read(path, "-layout").split("\f")[:-1]]


def joined(text):
    """A text without spaces and hyphens: where a line ends, a PDF has no space, and pdftotext drops a hyphen."""
    return "".join(text.replace("-", "").split())


def test_the_contents_say_on_which_page_a_chapter_is(printed):
    language, path = printed
    _title, contents, *_rest = texts = pages(path)
    numbers = pdf.page_numbers(path.read_bytes())
    for name, anchor in paper.anchors(NAMES).items():
        title = heading(name, language)
        assert re.search(rf"{re.escape(title)} {numbers[anchor]}\b", contents)
        assert title in texts[numbers[anchor] - 1]


def test_pages_are_numbered_at_their_foot(printed):
    _title, *rest = pages(printed[1])
    assert len(rest) > 10
    for number, text in enumerate(rest, start=2):
        assert text.endswith(f" {number}")


def test_nothing_is_cut_at_the_margins(printed):
    text = read(printed[1], "-bbox")
    width = float(WIDTH.search(text)[1])
    words = [tuple(map(float, bounds)) for bounds in WORD.findall(text)]
    assert len(words) > 1000
    assert [bounds for bounds in words if bounds[0] < MARGIN or bounds[1] > width - MARGIN] == []


def test_all_code_and_prose_can_be_selected(printed):
    language, path = printed
    text = joined(read(path, *BETWEEN))  # a paragraph may continue on the next page
    for name in NAMES:
        article = copy(parsed(name, language).find("article"))
        for definition in article.select(".definition"):
            definition.decompose()
        for block in article.select("section > p:not(.report), .cell_input pre")[:20]:
            if not block.find("math"):
                assert joined(block.get_text().strip().partition("\n")[0]) in text


def test_bookmarks_lead_to_chapters_and_sections(printed):
    language, path = printed
    reader, numbers = PdfReader(path), pdf.page_numbers(path.read_bytes())

    def bookmarks(outline):
        for entry in outline:
            if isinstance(entry, list):
                yield from bookmarks(entry)
            else:
                yield entry.title, reader.get_destination_page_number(entry) + 1

    marks = list(bookmarks(reader.outline))
    for name, anchor in paper.anchors(NAMES).items():
        for section in map(copy, parsed(name, language).select("article :is(h1, h2)")):
            section.select_one(".headerlink").decompose()
            title = section.get_text().strip()
            assert title in [mark for mark, _page in marks]
            assert section.name == "h2" or (title, numbers[anchor]) in marks
