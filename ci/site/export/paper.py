"""Puts the built pages of a language, in the order of the book, into one document for the printer.

On paper nothing is pressed: what is folded is open, and of the site only the articles are left. A link to another page
of the book leads to its place in the document.
"""

import posixpath
from datetime import date
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from bs4 import BeautifulSoup
from jinja2 import Environment, FileSystemLoader

from ci import _
from ci.book import BookError
from ci.catalogues.sentences import sentences
from ci.site import publish
from ci.site.css import css_string

TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent / "templates" / "paper"), autoescape=True)
OFF_PAPER = (
    ".page-tools, .headerlink, .toctree-wrapper, .report, .definition, .only-dark, [role=status], "
    "template, button:not(.term), script, summary"
)
ON_PAPER_AS_TEXT = "details, button.term"
HEADINGS = ["h1", "h2", "h3", "h4", "h5"]
PAGE = ".html"


class Printed(NamedTuple):
    """A page of the book in the document.

    Attributes:
      anchor: its id.
      part: the caption of the part that it begins, or "".
      article: HTML.
    """

    anchor: str
    title: str
    part: str
    article: str


TEMPLATES.filters["css_string"] = css_string


def anchors(names):
    """{page: its id in the document}."""
    return {name: f"page-{number}" for number, name in enumerate(names, start=1)}


def beside(name, path):
    """The path from the root of the site to what a page calls by a relative path."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def target(href, name, known, site):
    """Where a link leads in the document.

    Args:
      href: as on the page.
      name: of the page.
      known: `anchors` of the pages that are printed.
      site: where those of this language are published, for all that is not printed.
    """
    path, _hash, fragment = href.partition("#")
    if urlsplit(href).scheme:
        return href
    other = beside(name, path) if path else name + PAGE
    if anchor := known.get(other.removesuffix(PAGE)):
        return f"#{anchor}-{fragment}" if fragment else f"#{anchor}"
    return posixpath.join(site, other) + (f"#{fragment}" if fragment else "")


def unfold(article):
    """Takes away what only a screen has, and opens what is folded."""
    for element in article.select(OFF_PAPER):
        element.decompose()
    for folded in article.select(ON_PAPER_AS_TEXT):
        folded.unwrap()


def move(article, name, known, site, folder):
    """Gives an article ids, links and pictures that hold in the document.

    Args:
      folder: of the built pages of the language.
    """
    for element in article.find_all(id=True):
        element["id"] = f"{known[name]}-{element['id']}"
    for link in article.find_all("a", href=True):
        link["href"] = target(link["href"], name, known, site)
    for image in article.find_all("img", src=True):
        del image["loading"]  # one that waits to be scrolled to is never printed
        if not urlsplit(image["src"]).scheme:
            image["src"] = (folder / beside(name, image["src"])).as_uri()


def lower(article):
    """Puts the headings one level below those of the parts, for the bookmarks; they look as before."""
    for heading in article.find_all(HEADINGS):
        heading["aria-level"] = int(heading.name[1]) + 1


def page(soup, name, part, known, site, folder):
    """The `Printed` page of a parsed one; arguments as for `move`."""
    article = soup.find("article")
    unfold(article)
    move(article, name, known, site, folder)
    lower(article)
    return Printed(known[name], article.find("h1").get_text(), part, article.decode_contents())


def parts(front, name):
    """{first page of a part: its caption}, as the front page lists them beside its text."""
    captions = front.select(".sidebar-tree .caption")
    first = [(caption.find_next("a")["href"], caption.get_text(strip=True)) for caption in captions]
    return {beside(name, href).removesuffix(PAGE): caption for href, caption in first}


def document(book, language, names):
    """The HTML of a document of built pages.

    Args:
      names: of the pages.

    Raises:
      BookError: the book was never built, or not since a page was added.
    """
    folder, known = publish.readable(book) / language, anchors(names)
    front, site = parse(folder, book.pages[0]), f"{book.site}/{language}"
    captions = parts(front, book.pages[0])
    pages = [page(parse(folder, name), name, captions.get(name, ""), known, site, folder) for name in names]
    return TEMPLATES.get_template("book.html").render(
        language=language,
        title=front.select_one(".sidebar-brand-text").get_text(strip=True),
        author=book.config["author"],
        year=book.config["copyright"],
        date=date.today(),
        site=site,
        styles=(folder / "_static" / "site.css").as_uri(),
        pages=pages,
        contents=sentences(book, language).gettext("Contents"),
    )


def parse(folder, name):
    """A built page, parsed.

    Raises:
      BookError: it is not there.
    """
    path = folder / f"{name}{PAGE}"
    if not path.is_file():
        raise BookError(_("{page} is not in the built book; run ./ci/book.sh first"), page=name)
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
