"""Directives that quote chapters: cells with their outputs, and a gallery with a card for each chapter.

    ```{quoted-cells} training/dropout
    a line of a cell
    ```

    ```{gallery}
    | tutorial | read it when | look up in depth |
    |---|---|---|
    | [Dropout](training/dropout.md) | your training step … | [keys, …](training/dropout_in_depth.md) |
    ```

The content of a gallery is a table, so that it is translated, and read elsewhere, like any other. A card has the first
figure of the chapter, the minutes to read it, and the cells of its row.
"""

import base64
import hashlib
from collections.abc import Iterator
from typing import Any, cast

from docutils import nodes
from nbformat import NotebookNode
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.i18n import Locale
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from ci.book import BookError, files
from ci.execution.cache import code_cells
from ci.notebooks import form
from ci.site.extension.application import BookApp
from ci.site.extension.output.figures import shrink
from ci.site.extension.pages.minutes import MINUTES
from ci.site.extension.pages.page_tools import IN_COLAB
from ci.site.extension.pages.tables import link

PNG = "image/png"
LOG = logging.getLogger(__name__)


def _figures(cell: NotebookNode) -> Iterator[bytes]:
    """Yield each PNG among the outputs of a cell."""
    for output in cell.get("outputs", []):
        if PNG in output.get("data", {}):
            yield base64.b64decode(output["data"][PNG])


def _description(app: BookApp, chapter: str, cell: NotebookNode) -> str:
    """Return the alternative text of the figures of a cell, in the language of the site; "" if it has none."""
    alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
    return app.messages(chapter).get(alt, alt)


class Quoting(SphinxDirective):
    """Base class of the directives."""

    has_content = True

    @property
    def app(self) -> BookApp:
        """The Sphinx application."""
        return cast(BookApp, self.env.app)

    def lines(self) -> list[str]:
        """Return the lines of the content that are not empty."""
        return [line.strip() for line in self.content if line.strip()]

    def chapter(self, name: str) -> tuple[str, list[NotebookNode]]:
        """Return the chapter whose name ends as given, and its code cells with outputs."""
        chapter = self.app.book.find_page(name)
        if not (entry := self.app.cache.fetch(chapter)):
            raise BookError(f"{self.env.docname}: {chapter} has no outputs yet: run ./ci/book.sh")
        return chapter, code_cells(entry.notebook)

    def image(self, png: bytes, alt: str) -> nodes.image:
        """Store a PNG in a file, and return an image node for it."""
        book = self.app.book
        path = book.built("quoted", self.config.language, f"{hashlib.sha256(png).hexdigest()}.png")
        if not path.exists():
            files.write_all({path: png})
            shrink(path)
        return nodes.image(uri=f"/{book.relative(path)}", alt=alt)

    def nodes_of(self) -> list[nodes.Node]:
        """Return the nodes of the directive; raise BookError if something that it quotes does not exist."""
        raise NotImplementedError

    def to_translate(self) -> list[nodes.Node]:
        """Return the nodes from which messages are extracted: none, since those of a chapter are its own."""
        return []

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the directive; if they cannot be made, log a warning and return []."""
        if self.app.builder.name == "gettext":
            return self.to_translate()
        try:
            return self.nodes_of()
        except BookError as error:
            LOG.warning(error.say(self.app.sentences.gettext))
            return []


class QuotedCells(Quoting):
    """The cells of a chapter that contain the lines of the content: their code in one block, then their outputs."""

    required_arguments = 1

    def nodes_of(self) -> list[nodes.Node]:
        """Return the cells, and links to the chapter and its notebook in Colab."""
        chapter, cells = self.chapter(self.arguments[0])
        quoted = [self._cell(chapter, cells, line) for line in self.lines()]
        output = nodes.container("", *self._outputs(chapter, quoted), classes=["cell_output"])
        code = "\n\n\n".join(cell.source for cell in quoted)
        block = nodes.container("", nodes.literal_block(code, code, language="ipython3"), classes=["cell_input"])
        return [nodes.container("", block, output, classes=["cell"]), self._links(chapter)]

    def _cell(self, chapter: str, cells: list[NotebookNode], line: str) -> NotebookNode:
        found = [cell for cell in cells if line in cell.source]
        if len(found) != 1:
            message = f"{chapter} has {len(found)} cells with {line!r}, and it must be one"
            raise BookError(f"{self.env.docname}: {message}")
        return found[0]

    def _outputs(self, chapter: str, cells: list[NotebookNode]) -> Iterator[nodes.Node]:
        """Yield nodes for the outputs of cells: text and figures. A figure has its translated alternative text."""
        for cell in cells:
            if text := "\n".join(form.printed(cell)):
                yield nodes.literal_block(text, text, language="none")
            for png in _figures(cell):
                yield self.image(png, _description(self.app, chapter, cell))

    def _links(self, chapter: str) -> nodes.container:
        """Return links to the chapter, and to its notebook in Colab."""
        book = self.app.book
        colab = book.in_colab(book.notebook(chapter, self.config.language))
        run = nodes.reference("", self.app.sentences.gettext(IN_COLAB), internal=True, refuri=colab)
        # Not a paragraph, which Sphinx would try to translate.
        return nodes.container("", nodes.inline("", "", link(chapter), nodes.Text(" · "), run))


class Line(nodes.container):
    """A node for a line of a card, whose paragraphs are translated each for itself."""


class JoinLines(SphinxTransform):
    """Replace each `Line` by one paragraph."""

    default_priority = Locale.default_priority + 1

    def apply(self, **_options: Any) -> None:
        """Replace the lines."""
        for line in list(self.document.findall(Line)):
            parts = [child for part in line for child in part.children]
            line.replace_self(nodes.paragraph("", "", *parts, classes=["line"]))


class Gallery(Quoting):
    """A card for each row of a table of chapters."""

    def to_translate(self) -> list[nodes.Node]:
        """Return the table."""
        return self.parse_content_to_nodes()

    def nodes_of(self) -> list[nodes.Node]:
        """Return the gallery."""
        heading, *rows = (row for node in self.parse_content_to_nodes() for row in node.findall(nodes.row))
        cards = nodes.bullet_list("", *(self._card(heading, row) for row in rows))
        return [nodes.container("", cards, classes=["gallery"])]

    def _card(self, heading: nodes.row, row: nodes.row) -> nodes.list_item:
        """Return the card of a row; its first cell is the link to the chapter."""
        chapter, cells = self.chapter(row.next_node(addnodes.pending_xref)["reftarget"])
        figures = (self.image(png, _description(self.app, chapter, cell)) for cell in cells for png in _figures(cell))
        if not (figure := next(figures, None)):
            raise BookError(f"{self.env.docname}: {chapter} has no figure")
        minutes = form.reading_minutes(self.app.cache.chapter(chapter))
        read = self.app.sentences.gettext(MINUTES).format(minutes=minutes)
        _, label, *labels = (entry[0].deepcopy() for entry in heading)
        title, when, *texts = (entry[0] for entry in row)
        about = Line("", nodes.inline("", f"{read} · "), label)
        lines = [
            Line("", label, nodes.inline("", ": "), text)
            for label, text in zip(labels, texts, strict=True)
            if text.astext()
        ]
        return nodes.list_item("", figure, title, about, when, *lines)


def setup(app: BookApp) -> None:
    """Register the directives."""
    app.add_directive("quoted-cells", QuotedCells)
    app.add_directive("gallery", Gallery)
    app.add_transform(JoinLines)
