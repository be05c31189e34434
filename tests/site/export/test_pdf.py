import pytest

from ci.book import BookError
from ci.site import browser
from ci.site.export import pdf

# As Chromium writes it: the pages in a tree, here 3, then 9 and 4.
PDF = b"""%PDF-1.4
1 0 obj
<</Length 21>>
stream
2 0 obj \x80/Kids [8 0 R]
endstream
endobj
3 0 obj
<</Type /Page
/Parent 6 0 R>>
endobj
4 0 obj
<</Type /Page
/Parent 7 0 R>>
endobj
9 0 obj
<</Type /Page
/Parent 7 0 R>>
endobj
7 0 obj
<</Type /Pages
/Count 2
/Kids [9 0 R 4 0 R]
/Parent 6 0 R>>
endobj
6 0 obj
<</Type /Pages
/Count 3
/Kids [3 0 R 7 0 R]>>
endobj
5 0 obj
<</page-1 [3 0 R /XYZ 0 842 0]
/page-2 [4 0 R /XYZ 0 842 0]
/page-2-top [4 0 R /XYZ 0 700 0]>>
endobj
"""


class Tab:
    """Prints that, and says which entries of the contents have no number."""

    def __init__(self, without):
        self.without, self.given = without, []

    def pdf(self, **settings):
        return PDF

    def evaluate(self, script, numbers):
        self.given.append(numbers)
        return self.without


def test_a_pdf_says_on_which_page_a_chapter_begins():
    assert pdf.page_numbers(PDF) == {"page-1": 1, "page-2": 3}
    assert pdf.page_numbers(b"%PDF-2.0") == {}


def test_the_contents_get_the_numbers_of_the_first_printing():
    tab = Tab([])
    assert pdf.draw(tab) == PDF
    assert tab.given == [{"page-1": 1, "page-2": 3}]


def test_contents_without_numbers_are_not_printed():
    with pytest.raises(BookError, match="this Chromium does not say on which page a chapter begins"):
        pdf.draw(Tab(["#page-3"]))


def test_without_a_browser_the_command_says_what_to_install(book, monkeypatch):
    monkeypatch.setattr(browser, "find_browser", lambda: None)
    with pytest.raises(BookError, match=r"no Chromium on this machine: install one \(Debian: apt install chromium\)"):
        list(pdf.write(book, ["en"]))
