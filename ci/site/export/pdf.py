"""Print the built book as a PDF, with the Chromium of this machine."""

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

# JavaScript: write the page numbers into the table of contents; return the entries without a page number.
NUMBER = """
numbers => [...document.querySelectorAll(".book-contents a")].filter(
  ({ hash, lastElementChild: number }) => !(number.textContent = numbers[hash.slice(1)] ?? "")
).map(link => link.hash)
"""


def page_numbers(pdf: bytes) -> dict[str, int]:
    """Return {id: page number, from 1} for the targets of the links in a PDF."""
    reader = PdfReader(BytesIO(pdf))
    pages = {name: reader.get_destination_page_number(place) for name, place in reader.named_destinations.items()}
    return {name.removeprefix("/"): page + 1 for name, page in pages.items() if page is not None}


def printed(tab: "Page") -> bytes:
    """Return a PDF of the document in a tab, without changing the document."""
    return tab.pdf(outline=True, tagged=True, prefer_css_page_size=True, print_background=True)


def draw(tab: "Page") -> bytes:
    """Return a PDF of the document in a tab, with page numbers in its table of contents.

    The document is printed twice, since the page numbers are known only from the first PDF.

    Raises:
      BookError: The first PDF lacks the page number of an entry.
    """
    if tab.evaluate(NUMBER, page_numbers(printed(tab))):
        raise BookError(_("this Chromium does not say on which page a chapter begins: install a newer one"))
    return printed(tab)


@contextmanager
def opened() -> Iterator["Page"]:
    """Context manager: start the browser of this machine, and yield a new tab.

    Raises:
      BookError: No browser is installed.
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
      BookError: No browser is installed, or the built book lacks a page.
    """
    folder = book.built("pdf")
    with display.stage(_("printing"), len(languages)) as advance, opened() as tab:
        for language in languages:
            document, file = folder / f"{language}.html", folder / f"{book.name}-{language}.pdf"
            files.write(document, paper.document(book, language, book.pages))
            tab.goto(document.as_uri(), wait_until="load")
            files.write_all({file: draw(tab)})
            document.unlink()
            advance()
            yield file
