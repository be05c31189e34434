"""Join the built pages of a language, in the order of the book, into one HTML document to print.

The document has only the articles of the pages, with all folded content expanded. A link to another page of the book
leads to the copy of that page in the document.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import NamedTuple

from bs4 import Tag
from jinja2 import Environment, FileSystemLoader

from ci.book import Book
from ci.catalogues.sentences import sentences
from ci.site import publish
from ci.site.export import article as articles
from ci.site.export.article import PAGE, from_root
from ci.site.extension.output.writer import css_string

TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent / "templates" / "paper"), autoescape=True)
TEMPLATES.filters["css_string"] = css_string


class Printed(NamedTuple):
    """A page of the book in the document.

    Attributes:
      anchor: The id of the page in the document.
      part: The caption of the part of which the page is the first one, or "".
      article: The HTML of the article.
    """

    anchor: str
    title: str
    part: str
    article: str


def anchors(names: Sequence[str]) -> dict[str, str]:
    """Return {page: its id in the document}."""
    return {name: f"page-{number}" for number, name in enumerate(names, start=1)}


@dataclass(frozen=True)
class Document:
    """A document to print: converts pages, with the links, ids and pictures that work in the document.

    Attributes:
      folder: The folder of the built pages in the language.
      site: The URL of the language on the site, for links to pages outside the document.
      anchors: {page: its id} for the pages in the document.
    """

    folder: Path
    site: str
    anchors: Mapping[str, str]

    def target(self, href: str, name: str) -> str:
        """Return the target of a link on the page `name`: an anchor in the document, or an absolute URL."""
        path, _hash, fragment = href.partition("#")
        anchor = self.anchors.get(from_root(name, path).removesuffix(PAGE) if path else name)
        if anchor is None or articles.is_whole(href):
            return articles.on_the_site(href, name, self.site)
        return f"#{anchor}-{fragment}" if fragment else f"#{anchor}"

    def move(self, article: Tag, name: str) -> None:
        """Rewrite ids, links and picture URLs in the article of the page `name` so that they work in the document."""
        for element in article.select("[id]"):
            element["id"] = f"{self.anchors[name]}-{element['id']}"
        for link in article.select("a[href]"):
            link["href"] = self.target(str(link["href"]), name)
        for image in article.select("img[src]"):
            del image["loading"]  # a lazy picture would not be loaded before printing
            if not articles.is_whole(source := str(image["src"])):
                image["src"] = (self.folder / from_root(name, source)).as_uri()

    def page(self, name: str, part: str) -> Printed:
        """Return the page `name` for the document; `part` is the caption of the part that it begins, or ""."""
        article = articles.of(articles.read(self.folder, name))
        unfold(article)
        self.move(article, name)
        lower_headings(article)
        return Printed(self.anchors[name], article.select("h1")[0].get_text(), part, article.decode_contents())


def unfold(article: Tag) -> None:
    """Replace each `<details>` by its content, without the `<summary>`."""
    for summary in article.select("summary"):
        summary.decompose()
    for folded in article.select("details"):
        folded.unwrap()


def lower_headings(article: Tag) -> None:
    """Lower the headings by one level in the bookmarks of the PDF, below the parts, without changing their style."""
    for heading in article.select("h1, h2, h3, h4, h5"):
        heading["aria-level"] = str(int(heading.name[1]) + 1)


def captions(front: Tag, name: str) -> dict[str, str]:
    """Return {first page of a part: caption of the part}, read from the navigation of the front page, `name`."""
    parts = front.select(".sidebar-tree .caption")
    links = front.select(".sidebar-tree .caption + ul > li:first-child > a")
    first = [from_root(name, str(link["href"])).removesuffix(PAGE) for link in links]
    return {page: part.get_text(strip=True) for page, part in zip(first, parts, strict=True)}


def document(book: Book, language: str, names: Sequence[str]) -> str:
    """Return the HTML of a document with the given built pages.

    Raises:
      BookError: The book was never built, or not since a page was added.
    """
    document = Document(publish.readable(book) / language, f"{book.site}/{language}", anchors(names))
    front = articles.read(document.folder, book.pages[0])
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
