"""Convert built pages to Markdown, which people copy for an assistant: text, code, outputs, descriptions of figures.

The elements are those that Sphinx and the theme write. Links become absolute URLs of pages.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from bs4 import NavigableString, PageElement, Tag

from ci import _
from ci.book import Book
from ci.catalogues.sentences import sentences
from ci.site.export import article as articles

SUFFIX = ".md"
FIGURE = _("Figure: {description}")
LANGUAGES = {"ipython3": "python", "python": "python", "sh": "sh", "bash": "sh"}  # of a lexer: of a Markdown fence
MARKS = {"strong": "**", "em": "*"}
BLOCKS = {
    "p",
    "div",
    "section",
    "article",
    "details",
    "summary",
    "fieldset",
    "legend",
    "label",
    "blockquote",
    "figure",
}
LEFT_OUT = "progress, input, legend .sr-only"

Blocks = Callable[[Tag], Iterator[str]]


def write_all(book: Book, language: str, folder: Path) -> None:
    """Write a copy of each page of a language beside it, if there is none, or the page or this module is newer.

    Raises:
      BookError: A page does not exist.
    """
    figure, own = sentences(book, language).gettext(FIGURE), Path(__file__).stat().st_mtime_ns
    for name in book.pages:
        page, copy = folder / f"{name}{articles.PAGE}", folder / f"{name}{SUFFIX}"
        if not (page.exists() and copy.exists() and copy.stat().st_mtime_ns >= max(page.stat().st_mtime_ns, own)):
            article = articles.of(articles.read(folder, name))
            converter = Converter(name, posixpath.join(book.site, language), figure)
            copy.write_text(converter.convert(article), encoding="utf-8")


def headings(book: Book, folder: Path) -> dict[str, str]:
    """Return {page: its heading} of the copies in the folder of a language."""
    firsts = {name: (folder / f"{name}{SUFFIX}").read_text(encoding="utf-8").partition("\n")[0] for name in book.pages}
    return {name: line.removeprefix("# ") for name, line in firsts.items()}


class Converter:
    """Converts the article of a page.

    Args:
      name: The name of the page, such as "book/training/dropout".
      site: The URL of its language on the site.
      figure: The sentence with the description of a figure, in the language of the page.
    """

    def __init__(self, name: str, site: str, figure: str) -> None:
        self.name, self.site, self.figure = name, site, figure

    def convert(self, article: Tag) -> str:
        """Return the Markdown of an article as `article.of` returns it, with the URL of the page at the end."""
        for element in article.select(LEFT_OUT):
            element.decompose()
        address = posixpath.join(self.site, self.name + articles.PAGE)
        return "\n\n".join([*self.blocks(article), f"<{address}>"]) + "\n"

    def blocks(self, parent: Tag) -> Iterator[str]:
        """Yield a text for each block in an element: paragraph, heading, list, table, code, output."""
        line: list[PageElement] = []
        for child in parent.children:
            if isinstance(child, Tag) and (convert := self.converter(child)):
                yield from self.paragraph(line)
                line = []
                yield from convert(child)
            else:
                line.append(child)
        yield from self.paragraph(line)

    def converter(self, element: Tag) -> Blocks | None:
        """Return the method that converts a block, or None for an element within a line."""
        if element.name in ("pre", "table", "ul", "ol"):
            return {"pre": self.code, "table": self.table}.get(element.name, self.items)
        if re.fullmatch(r"h[1-6]", element.name):
            return self.heading
        return self.blocks if element.name in BLOCKS else None

    def paragraph(self, line: Iterable[PageElement]) -> Iterator[str]:
        """Yield the text of elements within a line, if there is any."""
        if text := "".join(map(self.inline, line)).strip():
            yield re.sub(r"\s+", " ", text)

    def heading(self, element: Tag) -> Iterator[str]:
        """Yield a heading."""
        yield f"{'#' * int(element.name[1])} {self.text(element)}"

    def code(self, element: Tag) -> Iterator[str]:
        """Yield a block of code or an output, fenced by more backticks than are in it."""
        text = element.get_text().rstrip("\n")
        block = element.find_parent(class_=re.compile("^highlight-"))
        names = block.get_attribute_list("class") if block else []
        lexers = [str(name).removeprefix("highlight-") for name in names]
        language = next((LANGUAGES[lexer] for lexer in lexers if lexer in LANGUAGES), "text")
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
        yield f"{fence}{language}\n{text}\n{fence}"

    def table(self, element: Tag) -> Iterator[str]:
        """Yield a table; its first row is the heading."""
        rows = [
            [self.text(cell).replace("|", "\\|") for cell in row.find_all(["th", "td"])]
            for row in element.find_all("tr")
        ]
        lines = [f"| {' | '.join(row)} |" for row in rows]
        yield "\n".join([lines[0], f"|{'---|' * len(rows[0])}", *lines[1:]])

    def items(self, element: Tag) -> Iterator[str]:
        """Yield a list; what follows the first line of an item is indented."""
        found = []
        for number, item in enumerate(element.find_all("li", recursive=False), start=1):
            mark = f"{number}. " if element.name == "ol" else "- "
            text = "\n\n".join(self.blocks(item))
            found.append(mark + text.replace("\n", "\n" + " " * len(mark)))
        yield "\n".join(found)

    def text(self, element: Tag) -> str:
        """Return the text of an element in one line."""
        return re.sub(r"\s+", " ", "".join(map(self.inline, element.children))).strip()

    def inline(self, node: PageElement) -> str:
        """Return the Markdown of a text or an element within a line."""
        if not isinstance(node, Tag):
            return str(node) if type(node) is NavigableString else ""
        inner = "".join(map(self.inline, node.children))
        if node.name == "code":
            return f"`{node.get_text()}`"
        if node.name == "a" and node.get("href"):
            return f"[{inner}]({articles.on_the_site(str(node['href']), self.name, self.site)})"
        if node.name == "img":
            return f"[{self.figure.format(description=node.get('alt', ''))}]"
        if node.name == "math":
            return f"${node.get('alttext', node.get_text())}$"
        return f"{MARKS[node.name]}{inner}{MARKS[node.name]}" if node.name in MARKS else inner
