"""Put the built pages of a language, in the order of the book, into one HTML document for the printer.

The document has only the articles of the site, with everything unfolded. A link to another page of the book leads to
its place in the document.
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
from ci.site.css import css_string
from ci.site.export import article as articles
from ci.site.export.article import PAGE, from_root

TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent / "templates" / "paper"), autoescape=True)
TEMPLATES.filters["css_string"] = css_string


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
        anchor = self.anchors.get(from_root(name, path).removesuffix(PAGE) if path else name)
        if anchor is None or articles.is_whole(href):
            return articles.on_the_site(href, name, self.site)
        return f"#{anchor}-{fragment}" if fragment else f"#{anchor}"

    def move(self, article: Tag, name: str) -> None:
        """Give an article ids, links and pictures that hold in the document."""
        for element in article.select("[id]"):
            element["id"] = f"{self.anchors[name]}-{element['id']}"
        for link in article.select("a[href]"):
            link["href"] = self.target(str(link["href"]), name)
        for image in article.select("img[src]"):
            del image["loading"]  # a lazy picture is not loaded before it is printed
            if not articles.is_whole(source := str(image["src"])):
                image["src"] = (self.folder / from_root(name, source)).as_uri()

    def page(self, name: str, part: str) -> Printed:
        """Return a page as it is printed; `part` is the caption of the part that it begins, or ""."""
        article = articles.of(articles.read(self.folder, name))
        unfold(article)
        self.move(article, name)
        lower_headings(article)
        return Printed(self.anchors[name], article.select("h1")[0].get_text(), part, article.decode_contents())


def unfold(article: Tag) -> None:
    """Open what is folded."""
    for summary in article.select("summary"):
        summary.decompose()
    for folded in article.select("details"):
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
