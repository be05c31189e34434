from io import BytesIO

import pytest
from pypdf import PdfReader, PdfWriter

from ci.book import BookError
from ci.execution.cache import cache_path
from ci.site import browser
from ci.site.export import pdf


def document():
    """A PDF of three pages, with places on the first and the third."""
    writer, content = PdfWriter(), BytesIO()
    for _ in range(3):
        writer.add_blank_page(595, 842)
    for name, page in {"page-1": 0, "page-2": 2}.items():
        writer.add_named_destination(name, page)
    writer.write(content)
    return content.getvalue()


class Tab:
    """Prints that, and says which entries of the contents have no number."""

    def __init__(self, without):
        self.without, self.given = without, []

    def pdf(self, **settings):
        return document()

    def evaluate(self, script, *numbers):
        self.given += numbers
        return self.without


def test_the_contents_get_the_page_numbers_of_the_first_printing():
    tab = Tab([])
    assert len(PdfReader(BytesIO(pdf.draw(tab))).pages) == 3
    assert tab.given == [{"page-1": 1, "page-2": 3}]


def test_contents_without_page_numbers_are_not_printed():
    with pytest.raises(BookError, match="this Chromium does not say on which page a chapter begins"):
        pdf.draw(Tab(["#page-3"]))


def test_without_a_browser_the_command_says_what_to_install(book, monkeypatch):
    monkeypatch.setattr(browser, "find_browser", lambda: None)
    with pytest.raises(BookError, match=r"no Chromium on this machine: install one \(Debian: apt install chromium\)"):
        list(pdf.write(book, ["en"], cache_path(book)))
