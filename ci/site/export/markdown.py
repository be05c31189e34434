"""Convert pages to Markdown, which people copy for an assistant: text, code, outputs, descriptions of figures.

The copies are made from the chapters with their outputs, and from the sources of the other pages. Links become URLs.
"""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode

from ci import _
from ci.book import HEADER, Book
from ci.execution.kernel import COLOUR
from ci.notebooks.translate import translate
from ci.site.extension.application import BookApp, errors_as_sphinx_says_them
from ci.site.extension.cells import tolerances
from ci.site.releases import Release

SUFFIX = ".md"
FIGURE = _("Figure: {description}")
FIGURES = {"image/png": ".png", "image/jpeg": ".jpg", "image/svg+xml": ".svg"}  # {type: suffix of a file}
CODE, OUTPUT, TEXT = "python", "text", ""  # the other kinds of pieces: languages of fences, or none
WHOLE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
CODE_OR_LINK = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|\]\((?P<target>[^)\s]+)\)", re.DOTALL)


class Piece(NamedTuple):
    """A piece of a page."""

    kind: str  # `TEXT`, `CODE`, `OUTPUT`, or a key of `FIGURES`
    content: str  # the text, or the data of a figure
    description: str = ""  # of a figure


@dataclass(frozen=True)
class Page:
    """A page to convert in one language."""

    book: Book
    name: str
    language: str
    notebook: NotebookNode  # the page in the source language, with outputs
    messages: Mapping[str, str]  # {message: translation} of the page
    gettext: Callable[[str], str]  # translates sentences that are not from the page

    def text(self, source: str) -> Piece:
        """Return Markdown of the page translated, with URLs instead of relative links."""
        return Piece(TEXT, CODE_OR_LINK.sub(self._with_url, translate(source, self.messages)).strip())

    def _with_url(self, match: re.Match[str]) -> str:
        target = match["target"]
        if target is None or WHOLE.match(target):
            return match[0]
        path, mark, fragment = target.partition("#")
        page = posixpath.normpath(posixpath.join(posixpath.dirname(self.name), posixpath.splitext(path)[0]))
        return f"]({self.book.address(page if path else self.name, self.language)}{mark}{fragment})"

    def outputs(self, cell: NotebookNode) -> Iterator[Piece]:
        """Yield the outputs of a cell, of HTML its plain text, and the sentence on its tolerance."""
        alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
        for output in cell.outputs:
            data = output.get("data", {})
            if kind := next(filter(data.__contains__, FIGURES), None):
                yield Piece(kind, data[kind], self.messages.get(alt, alt))
            else:
                text = output.get("text") or data.get("text/plain") or "\n".join(output.get("traceback", []))
                if text.strip():
                    yield Piece(OUTPUT, COLOUR.sub("", text))
        if cell.outputs and (sentence := tolerances.sentence(cell.metadata, self.gettext)):
            yield Piece(TEXT, sentence)

    def cells(self) -> Iterator[tuple[set[str], list[Piece]]]:
        """Yield (tags, pieces) of each cell that pages show."""
        for cell in self.notebook.cells:
            tags = set(cell.metadata.get("tags", []))
            if cell.cell_type == "markdown":
                yield tags, [self.text(cell.source)]
            elif cell.cell_type == "code" and "remove-cell" not in tags:
                code = [] if "remove-input" in tags else [Piece(CODE, cell.source)]
                yield tags, code if "remove-output" in tags else [*code, *self.outputs(cell)]


def fenced(piece: Piece) -> str:
    """Return code or an output, fenced by more backticks than are in it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", piece.content)), default=0))
    return f"{fence}{piece.kind}\n{piece.content.rstrip()}\n{fence}"


def markdown(page: Page) -> str:
    """Return a page as Markdown, with its URL at the end."""
    figure = page.gettext(FIGURE)

    def shown(piece: Piece) -> str:
        if piece.kind in FIGURES:
            return f"[{figure.format(description=piece.description)}]"
        return piece.content if piece.kind == TEXT else fenced(piece)

    texts = [shown(piece) for _tags, pieces in page.cells() for piece in pieces]
    return "\n\n".join([*filter(None, texts), f"<{page.book.address(page.name, page.language)}>"]) + "\n"


def has_copy(book: Book, name: str) -> bool:
    """Return whether a page can be copied: a chapter, or a page that is Markdown alone."""
    return name in book.chapters or "```{" not in book.source(name).read_text(encoding="utf-8")


def headings(book: Book, folder: Path) -> dict[str, str]:
    """Return {page: its heading} of the copies in the folder of a language."""
    copies = {name: folder / f"{name}{SUFFIX}" for name in book.pages}
    texts = {name: path.read_text(encoding="utf-8") for name, path in copies.items() if path.exists()}
    return {name: text.partition("\n")[0].removeprefix("# ") for name, text in texts.items()}


def _notebook(app: BookApp, name: str) -> NotebookNode:
    """Return a page as a notebook; that of a chapter has outputs if there are any in the cache."""
    if name not in app.book.chapters:
        text = HEADER.sub("", app.book.source(name).read_text(encoding="utf-8"))
        return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)])
    entry = app.cache.fetch(name)
    return entry.notebook if entry else app.cache.chapter(name)


def _write(app: BookApp, name: str, *_rest: object) -> None:
    """Write the copy of a page with the page, except in a preview, which does not show copies."""
    is_site = app.builder.name == "html" and not app.config.html_context.get("preview")
    if not is_site or name not in app.book.pages or not has_copy(app.book, name):
        return
    with errors_as_sphinx_says_them():
        notebook, gettext = _notebook(app, name), app.sentences.gettext
        text = markdown(Page(app.book, name, app.config.language, notebook, app.messages(name), gettext))
    copy = Path(app.outdir, f"{name}{SUFFIX}")
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(app.book.pinned(text) if isinstance(app.book, Release) else text, encoding="utf-8")


def setup(app: BookApp) -> None:
    """Connect the handler."""
    app.connect("html-page-context", _write)
