"""Directives that quote chapters: cells with their outputs, and a gallery with one figure of each chapter.

    ```{quoted-cells} training/dropout
    a line of a cell
    ```

    ```{gallery}
    training/dropout 1
    ```

The number chooses one of the figures of the chapter, from 1.
"""

import base64
import hashlib
import io
from collections.abc import Iterator
from typing import ClassVar, cast

from docutils import nodes
from docutils.parsers.rst import directives
from nbformat import NotebookNode
from PIL import Image
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from ci.book import BookError, files
from ci.execution.cache import code_cells
from ci.notebooks.form import printed
from ci.site.extension.application import BookApp
from ci.site.extension.inputs import if_inputs_changed
from ci.site.extension.output.figures import with_palette
from ci.site.extension.pages.page_tools import IN_COLAB, shown
from ci.site.extension.pages.tables import link

QUOTED = "quoted"  # the key in the metadata of a page, for {chapter: the value of `page_tools.shown`}
PNG = "image/png"
SMALL = (320, 240)  # pixels of a figure in the gallery, at most
LOG = logging.getLogger(__name__)


def _figures(cell: NotebookNode) -> Iterator[bytes]:
    """Yield each PNG among the outputs of a cell."""
    for output in cell.get("outputs", []):
        if PNG in output.get("data", {}):
            yield base64.b64decode(output["data"][PNG])


def small(figure: bytes) -> bytes:
    """Return a figure as a thumbnail for the gallery."""
    with Image.open(io.BytesIO(figure)) as image:
        thumbnail = image.convert("RGB")
    thumbnail.thumbnail(SMALL, Image.Resampling.LANCZOS)
    return with_palette(thumbnail)


class Quoting(SphinxDirective):
    """Base class of the directives. Records the state of each quoted chapter, for `outdated`."""

    has_content = True

    @property
    def app(self) -> BookApp:
        """The Sphinx application."""
        return cast(BookApp, self.env.app)

    def lines(self) -> list[str]:
        """Return the lines of the content that are not empty."""
        return [line.strip() for line in self.content if line.strip()]

    def chapter(self, name: str) -> tuple[str, list[NotebookNode]]:
        """Return the chapter whose name ends as given, and its code cells with outputs; record its state."""
        chapter = self.app.book.find_page(name)
        if not (entry := self.app.cache.fetch(chapter)):
            raise BookError(f"{self.env.docname}: {chapter} has no outputs yet: run ./ci/book.sh")
        self.env.metadata[self.env.docname].setdefault(QUOTED, {})[chapter] = shown(self.app.cache, chapter)
        return chapter, code_cells(entry.notebook)

    def image(self, png: bytes, alt: str) -> nodes.image:
        """Store a PNG in a file, and return an image node for it."""
        book = self.app.book
        path = book.built("quoted", self.config.language, f"{hashlib.sha256(png).hexdigest()}.png")
        if not path.exists():
            files.write_all({path: png})
        return nodes.image(uri=f"/{book.relative(path)}", alt=alt)

    def nodes_of(self) -> list[nodes.Node]:
        """Return the nodes of the directive; raise BookError if something that it quotes does not exist."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the directive; if they cannot be made, log a warning and return []."""
        if self.app.builder.name == "gettext":  # the messages are extracted from the chapters themselves
            return []
        try:
            return self.nodes_of()
        except BookError as error:
            LOG.warning(error.say(self.app.sentences.gettext))
            return []


class QuotedCells(Quoting):
    """The cells of a chapter that contain the lines of the content: their code in one block, then their outputs."""

    required_arguments = 1
    option_spec: ClassVar = {"only-figures": directives.flag}

    def nodes_of(self) -> list[nodes.Node]:
        """Return the cells and, unless only figures are shown, links to the chapter and its notebook in Colab."""
        chapter, cells = self.chapter(self.arguments[0])
        quoted = [self._cell(chapter, cells, line) for line in self.lines()]
        output = nodes.container("", *self._outputs(chapter, quoted), classes=["cell_output"])
        if "only-figures" in self.options:
            return [nodes.container("", output, classes=["cell"])]
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
            if (text := "\n".join(printed(cell))) and "only-figures" not in self.options:
                yield nodes.literal_block(text, text, language="none")
            alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
            for png in _figures(cell):
                yield self.image(png, self.app.messages(chapter).get(alt, alt))

    def _links(self, chapter: str) -> nodes.container:
        """Return links to the chapter, and to its notebook in Colab."""
        book = self.app.book
        colab = book.in_colab(book.notebook(chapter, self.config.language))
        run = nodes.reference("", self.app.sentences.gettext(IN_COLAB), internal=True, refuri=colab)
        # Not a paragraph, which Sphinx would try to translate.
        return nodes.container("", nodes.inline("", "", link(chapter), nodes.Text(" · "), run))


class Gallery(Quoting):
    """A small figure of each chapter of the content, and a link to it."""

    def nodes_of(self) -> list[nodes.Node]:
        """Return the gallery."""
        return [nodes.container("", *map(self._entry, self.lines()), classes=["gallery"])]

    def _entry(self, line: str) -> nodes.container:
        name, _space, number = line.partition(" ")
        chapter, cells = self.chapter(name)
        every = (png for cell in cells for png in _figures(cell))
        numbered = {str(place): png for place, png in enumerate(every, start=1)}
        if number not in numbered:
            raise BookError(f"{self.env.docname}: {chapter} has no figure {number}")
        figure = self.image(small(numbered[number]), "")  # no alternative text: the title is beside it
        return nodes.container("", figure, nodes.inline("", "", link(chapter)))


def outdated(app: BookApp, env: BuildEnvironment, *_changes: set[str]) -> list[str]:
    """Return the pages that quote a chapter whose outputs have changed since the page was read."""
    return [
        page
        for page, data in env.metadata.items()
        if any(shown(app.cache, chapter) != before for chapter, before in data.get(QUOTED, {}).items())
    ]


def setup(app: BookApp) -> None:
    """Register the directives, and connect the handler."""
    app.add_directive("quoted-cells", QuotedCells)
    app.add_directive("gallery", Gallery)
    app.connect("env-get-outdated", if_inputs_changed(outdated))
