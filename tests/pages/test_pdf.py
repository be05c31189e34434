"""Some pages of the built book, printed: what a reader of the PDF sees, as poppler reads it."""

import re
import shutil
import subprocess
from copy import copy

import pytest

from ci.site.export import paper, pdf
from tests.pages.reading import BOOK, FRONT, TUTORIAL, heading, parsed

NAMES = [FRONT, TUTORIAL, BOOK.pages[-2]]
MARGIN = 50  # points at the left and the right, in which nothing stands
# Of an A4 page, without what stands on top and at its foot.
BETWEEN = ["-x", "0", "-y", "50", "-W", "595", "-H", "742"]
WORD = re.compile(r'<word xMin="([\d.-]+)" yMin="[\d.-]+" xMax="([\d.-]+)"')
WIDTH = re.compile(r'<page width="([\d.]+)"')


@pytest.fixture(scope="module", params=BOOK.languages)
def printed(request, browser, tmp_path_factory):
    """(language, path of the PDF) of some pages."""
    if not shutil.which("pdftotext"):
        pytest.skip("nothing here reads a PDF (Debian: apt install poppler-utils)")
    folder = tmp_path_factory.mktemp("pdf")
    (folder / "book.html").write_text(paper.document(BOOK, request.param, NAMES), encoding="utf-8")
    tab = browser.new_page()
    tab.goto((folder / "book.html").as_uri())
    (folder / "book.pdf").write_bytes(pdf.draw(tab))
    tab.close()
    return request.param, folder / "book.pdf"


def read(path, *options):
    """What poppler reads of a PDF."""
    return subprocess.run(["pdftotext", *options, path, "-"], capture_output=True, text=True, check=True).stdout


def pages(path):
    """The texts of the pages, with one space for any room."""
    return [" ".join(page.split()) for page in read(path, "-layout").split("\f")[:-1]]


def test_the_contents_say_on_which_page_a_chapter_is(printed):
    language, path = printed
    _title, contents, *_rest = found = pages(path)
    numbers = pdf.page_numbers(path.read_bytes())
    for anchor, name in zip(paper.anchors(NAMES).values(), NAMES, strict=True):
        title = heading(name, language)
        assert re.search(rf"{re.escape(title)} {numbers[anchor]}\b", contents)
        assert title in found[numbers[anchor] - 1]


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
    text = "".join(read(path, *BETWEEN).split())  # a paragraph may go on on the next page
    for name in NAMES:
        article = copy(parsed(name, language).find("article"))
        for definition in article.select(".definition"):
            definition.decompose()
        for block in article.select("section > p:not(.report), .cell_input pre")[:20]:
            if not block.find("math"):
                first_line = block.get_text().strip().partition("\n")[0]
                assert "".join(first_line.split()) in text


def test_bookmarks_lead_to_chapters_and_sections(printed):
    language, path = printed
    content = path.read_bytes()
    for name in NAMES:
        title = parsed(name, language).select_one("article h1").find(string=True)
        utf_16 = b"<FEFF" + title.encode("utf-16-be").hex().upper().encode() + b">"
        assert f"/Title ({title})".encode() in content or b"/Title " + utf_16 in content
    sections = sum(len(parsed(name, language).select("article h2")) for name in NAMES)
    assert content.count(b"/Title ") > sections
