"""Print the built book as a PDF, with the browser of this machine."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from pypdf import PdfReader

from ci import _
from ci.book import Book, BookError, display, files
from ci.site import browser
from ci.site.export import paper

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Writes the page numbers into the table of contents; returns the entries that have none.
NUMBER = """
numbers => [...document.querySelectorAll(".book-contents a")].filter(
  ({ hash, lastElementChild: number }) => !(number.textContent = numbers[hash.slice(1)] ?? "")
).map(link => link.hash)
"""


def page_numbers(pdf: bytes) -> dict[str, int]:
    """Return {id: page number} of the places to which links of a PDF lead; pages are counted from 1."""
    reader = PdfReader(BytesIO(pdf))
    pages = {name: reader.get_destination_page_number(place) for name, place in reader.named_destinations.items()}
    return {name.removeprefix("/"): page + 1 for name, page in pages.items() if page is not None}


def printed(tab: "Page") -> bytes:
    """Return a PDF of the document in a tab, as it is now."""
    return tab.pdf(outline=True, tagged=True, prefer_css_page_size=True, print_background=True)


def draw(tab: "Page") -> bytes:
    """Return a PDF of the document in a tab.

    The document is printed twice: only the first PDF says on which pages the entries of the table of contents are.

    Raises:
      BookError: the first PDF does not say where its chapters begin.
    """
    if tab.evaluate(NUMBER, page_numbers(printed(tab))):
        raise BookError(_("this Chromium does not say on which page a chapter begins: install a newer one"))
    return printed(tab)


@contextmanager
def opened() -> Iterator["Page"]:
    """Give a tab of the browser of this machine.

    Raises:
      BookError: no browser is installed.
    """
    path = browser.needed()
    from playwright.sync_api import sync_playwright  # slow to import

    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=path, args=browser.OPTIONS) as chromium,
    ):
        yield chromium.new_page()


def write(book: Book, languages: Sequence[str]) -> Iterator[Path]:
    """Print the built book in each of some languages; yield the paths of the PDFs.

    Raises:
      BookError: no browser is installed, or the built book lacks a page.
    """
    folder = book.built("pdf")
    with display.stage(_("printing"), len(languages), _("languages")) as advance, opened() as tab:
        for language in languages:
            document, file = folder / f"{language}.html", folder / f"flaxbook-{language}.pdf"
            files.write(document, paper.document(book, language, book.pages))
            tab.goto(document.as_uri(), wait_until="load")
            files.write_all({file: draw(tab)})
            document.unlink()
            advance()
            yield file
