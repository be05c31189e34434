"""Put the built pages of a language, in the order of the book, into one HTML document for the printer.

The document has only the articles of the site, with everything unfolded. A link to another page of the book leads to
its place in the document.
"""

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from bs4 import BeautifulSoup, Tag
from jinja2 import Environment, FileSystemLoader

from ci import _
from ci.book import Book, BookError
from ci.catalogues.sentences import sentences
from ci.site import publish
from ci.site.css import css_string

TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent / "templates" / "paper"), autoescape=True)
TEMPLATES.filters["css_string"] = css_string
OFF_PAPER = (
    ".page-tools, .headerlink, .toctree-wrapper, .report, .definition, .only-dark, [role=status], "
    "template, button:not(.term), script, summary"
)
ON_PAPER_AS_TEXT = "details, button.term"
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


def anchors(names: Sequence[str]) -> dict[str, str]:
    """Return {page: its id in the document}."""
    return {name: f"page-{number}" for number, name in enumerate(names, start=1)}


def from_root(name: str, path: str) -> str:
    """Return a path that is relative to a page as a path that is relative to the root of the site."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


@dataclass(frozen=True)
class Document:
    """What links and pictures need to hold in the document.

    Attributes:
      folder: the built pages of the language.
      site: the URL of the language, for pages that are not printed.
      anchors: {page: its id} of the pages that are printed.
    """

    folder: Path
    site: str
    anchors: Mapping[str, str]

    def target(self, href: str, name: str) -> str:
        """Return where a link of a page leads in the document."""
        path, _hash, fragment = href.partition("#")
        if urlsplit(href).scheme:
            return href
        other = from_root(name, path) if path else name + PAGE
        if anchor := self.anchors.get(other.removesuffix(PAGE)):
            return f"#{anchor}-{fragment}" if fragment else f"#{anchor}"
        return posixpath.join(self.site, other) + (f"#{fragment}" if fragment else "")

    def move(self, article: Tag, name: str) -> None:
        """Give an article ids, links and pictures that hold in the document."""
        for element in article.select("[id]"):
            element["id"] = f"{self.anchors[name]}-{element['id']}"
        for link in article.select("a[href]"):
            link["href"] = self.target(str(link["href"]), name)
        for image in article.select("img[src]"):
            del image["loading"]  # a lazy picture is not loaded before it is printed
            if not urlsplit(source := str(image["src"])).scheme:
                image["src"] = (self.folder / from_root(name, source)).as_uri()

    def read(self, name: str) -> BeautifulSoup:
        """Return a built page, parsed.

        Raises:
          BookError: the page does not exist.
        """
        path = self.folder / f"{name}{PAGE}"
        if not path.is_file():
            raise BookError(_("{page} is not in the built book; run ./ci/book.sh first"), page=name)
        return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")

    def page(self, name: str, part: str) -> Printed:
        """Return a page as it is printed; `part` is the caption of the part that it begins, or ""."""
        article = self.read(name).select("article")[0]
        unfold(article)
        self.move(article, name)
        lower_headings(article)
        return Printed(self.anchors[name], article.select("h1")[0].get_text(), part, article.decode_contents())


def unfold(article: Tag) -> None:
    """Remove what works only on a screen, and open what is folded."""
    for element in article.select(OFF_PAPER):
        element.decompose()
    for folded in article.select(ON_PAPER_AS_TEXT):
        folded.unwrap()


def lower_headings(article: Tag) -> None:
    """Put the headings one level below those of the parts in the bookmarks; they look as before."""
    for heading in article.select("h1, h2, h3, h4, h5"):
        heading["aria-level"] = str(int(heading.name[1]) + 1)


def captions(front: Tag, name: str) -> dict[str, str]:
    """Return {first page of a part: its caption} from the list of chapters on the front page, whose name is given."""
    parts = front.select(".sidebar-tree .caption")
    links = front.select(".sidebar-tree .caption + ul > li:first-child > a")
    first = [from_root(name, str(link["href"])).removesuffix(PAGE) for link in links]
    return {page: part.get_text(strip=True) for page, part in zip(first, parts, strict=True)}


def document(book: Book, language: str, names: Sequence[str]) -> str:
    """Return the HTML of a document of some built pages.

    Raises:
      BookError: the book was never built, or not since a page was added.
    """
    document = Document(publish.readable(book) / language, f"{book.site}/{language}", anchors(names))
    front = document.read(book.pages[0])
    parts = captions(front, book.pages[0])
    return TEMPLATES.get_template("book.html").render(
        language=language,
        title=front.select(".sidebar-brand-text")[0].get_text(strip=True),
        author=book.config["author"],
        date=date.today(),
        site=document.site,
        styles=(document.folder / "_static" / "site.css").as_uri(),
        pages=[document.page(name, parts.get(name, "")) for name in names],
        contents=sentences(book, language).gettext("Contents"),
    )
