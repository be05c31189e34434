"""Prints the built book as a PDF, with the browser of this machine."""

import re
from contextlib import contextmanager
from functools import partial

from ci import _
from ci.book import BookError, display, files
from ci.site import browser
from ci.site.export import paper, write_all

SETTINGS = {"outline": True, "tagged": True, "prefer_css_page_size": True, "print_background": True}
# What a PDF of Chromium says in plain text: its objects, the tree of its pages, and where links lead.
OBJECT = re.compile(rb"^(\d+) 0 obj\n(.*?)\nendobj$", re.DOTALL | re.MULTILINE)
PAGES = re.compile(rb"<</Type /Pages\n.*?/Kids \[([^\]]*)\]", re.DOTALL)
REFERENCE = re.compile(rb"(\d+) 0 R")
PLACE = re.compile(rb"/(page-\d+) \[(\d+) 0 R /XYZ ")
# Writes the numbers of pages into the contents; returns the entries that have none.
NUMBER = """
numbers => [...document.querySelectorAll(".book-contents a")].filter(
  ({ hash, lastElementChild: number }) => !(number.textContent = numbers[hash.slice(1)] ?? "")
).map(link => link.hash)
"""


def leaves(objects, number):
    """The objects that are pages, in their order, below one of the tree of pages."""
    tree = PAGES.match(objects[number])
    return [leaf for kid in REFERENCE.findall(tree[1]) for leaf in leaves(objects, kid)] if tree else [number]


def page_numbers(pdf):
    """{anchor: number of its page}, from 1, of the content of a PDF that Chromium has written."""
    objects = dict(OBJECT.findall(pdf))
    roots = [number for number, content in objects.items() if PAGES.match(content) and b"/Parent" not in content]
    order = {leaf: place for root in roots for place, leaf in enumerate(leaves(objects, root), start=1)}
    return {anchor.decode(): order[page] for anchor, page in PLACE.findall(pdf) if page in order}


def draw(tab):
    """Returns a PDF of the document in a tab.

    It is printed twice: only what has been printed has pages, whose numbers the contents then say.

    Raises:
      BookError: the first PDF does not say where its pages are.
    """
    if tab.evaluate(NUMBER, page_numbers(tab.pdf(**SETTINGS))):
        raise BookError(_("this Chromium does not say on which page a chapter begins: install a newer one"))
    return tab.pdf(**SETTINGS)


@contextmanager
def opened():
    """Gives a tab of the browser of this machine.

    Raises:
      BookError: there is none.
    """
    from playwright.sync_api import sync_playwright  # only whoever prints waits for it

    options = {"executable_path": browser.needed(), "args": browser.OPTIONS}
    with sync_playwright() as playwright, playwright.chromium.launch(**options) as chromium:
        yield chromium.new_page()


def write(book, languages):
    """Prints the built book in each of some languages; yields the paths of the PDFs.

    Raises:
      BookError: there is no browser, or no built book with all pages.
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


def export(book, codes):
    """Prints the built book in each of some languages, or in all if none is named."""
    write_all(book, codes, partial(write, book))
