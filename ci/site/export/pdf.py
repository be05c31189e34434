"""Print the book as a PDF, with the Chromium of this machine."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from pypdf import PdfReader

from ci import _
from ci.book import Book, BookError, files, sphinx
from ci.site import browser
from ci.site.extension.output.paper import PAPER

if TYPE_CHECKING:
    from playwright.sync_api import Page

# JavaScript: show all that is folded, add the captions of the parts, and the titles of chapters at the top of pages.
PREPARE = """
() => {
  for (const folded of document.querySelectorAll("details")) folded.open = true
  for (const image of document.querySelectorAll("img")) image.loading = "eager"
  const chapter = link => document.getElementById(link.hash.slice(1)).nextElementSibling
  for (const caption of document.querySelectorAll(".book-contents .caption")) {
    const part = Object.assign(document.createElement("h1"), { className: "part", textContent: caption.textContent })
    chapter(caption.nextElementSibling.querySelector("a")).prepend(part)
    caption.removeAttribute("role") // which would make it a bookmark
  }
  const style = document.head.appendChild(document.createElement("style"))
  document.querySelectorAll(".book-contents a").forEach((link, number) => {
    const title = JSON.stringify(link.textContent)
    const section = chapter(link)
    style.append(`@page chapter-${number} { @top-right { content: ${title} } }`)
    section.style.page = `chapter-${number}`
    section.prepend(document.getElementById(link.hash.slice(1))) // before it, it would have a page of its own
    link.append(Object.assign(document.createElement("span"), { className: "number" }))
  })
}
"""
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
    tab.evaluate(PREPARE)
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


def write(book: Book, languages: Sequence[str], cache: Path) -> Iterator[Path]:
    """Print the book in each of some languages from a cache of executed chapters; yield the paths of the PDFs.

    Raises:
      BookError: No browser is installed, or a page has a fault.
    """
    folder = book.built("pdf")
    with opened() as tab:
        places = {code: {"output": folder / code, "doctrees": folder / "doctrees" / code} for code in languages}
        sphinx.render_all(book, PAPER, places, cache=cache, html_theme="paper")
        for language in languages:
            file = folder / f"{book.name}-{language}.pdf"
            page = folder / language / f"{book.name}.html"  # beside the pictures
            (folder / language / f"{book.pages[0]}.html").rename(page)
            tab.goto(page.as_uri(), wait_until="load", timeout=0)
            files.write_all({file: draw(tab)})
            yield file
