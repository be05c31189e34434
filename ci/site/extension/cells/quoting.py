"""Shows on a page what chapters have: cells with their outputs, and a figure of each chapter in a gallery.

    ```{quoted-cells} training/dropout
    a line of a cell
    ```

    ```{gallery}
    training/dropout 1
    ```

The number is that of the chapter's figure, from 1.
"""

import base64
import hashlib
import io

from docutils import nodes
from docutils.parsers.rst import directives
from PIL import Image
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from ci import _
from ci.book import BookError, files
from ci.book.markdown import parser
from ci.execution.cache import code_cells
from ci.notebooks.form import printed
from ci.site.extension.inputs import if_inputs_changed
from ci.site.extension.output.night import with_palette
from ci.site.extension.pages.page_tools import IN_COLAB, shown
from ci.site.extension.pages.tables import link

QUOTED = "quoted"  # in the metadata of a page: {chapter: what is shown of it}
MARKS = {"strong": nodes.strong, "em": nodes.emphasis}
NO_CELL = _("{page}: {chapter} has {count} cells with {line}, and it must be one")
NO_OUTPUTS = _("{page}: {chapter} has no outputs yet: run ./ci/book.sh")
NO_FIGURE = _("{page}: {chapter} has no figure {number}")
PNG = "image/png"
SMALL = (320, 240)  # pixels of a figure in the gallery, at most
LOG = logging.getLogger(__name__)


def inline(markdown):
    """The nodes of one line of Markdown: text, code and emphasis; of a link, its text."""
    here = root = nodes.inline()
    for token in parser().parseInline(markdown)[0].children:
        mark, _sign, end = token.type.rpartition("_")
        if token.type == "code_inline":
            here.append(nodes.literal("", token.content))
        elif token.type == "math_inline":
            here.append(nodes.math("", token.content))
        elif mark in MARKS and end == "open":
            here.append(MARKS[mark]())
            here = here[-1]
        elif mark in MARKS:
            here = here.parent
        elif token.content:
            here.append(nodes.Text(token.content))
    return root


def figures(cell):
    """Yields the bytes of each PNG that a cell has shown."""
    for output in cell.get("outputs", []):
        if PNG in output.get("data", {}):
            yield base64.b64decode(output["data"][PNG])


def description(app, chapter, cell):
    """What a figure of a cell shows, in the language of the site."""
    alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
    return app.messages(chapter).get(alt, alt)


def image(app, png, alt):
    """A node that shows bytes of a PNG."""
    path = app.book.built("quoted", app.config.language, f"{hashlib.sha256(png).hexdigest()}.png")
    if not path.exists():
        files.write_all({path: png})
    return nodes.image(uri=f"/{app.book.relative(path)}", alt=alt)


def small(figure):
    """The bytes of a figure as small as the gallery shows it, given its own."""
    with Image.open(io.BytesIO(figure)) as image:
        image = image.convert("RGB")
    image.thumbnail(SMALL, Image.Resampling.LANCZOS)
    return with_palette(image)


class Quoting(SphinxDirective):
    """What has chapters to show, and says what it has shown of them."""

    has_content = True

    def chapter(self, name):
        """(the chapter that a name means, its cells with outputs)."""
        app = self.env.app
        chapter = app.book.find_page(name)
        if not (entry := app.cache.fetch(chapter)):
            raise BookError(NO_OUTPUTS, page=self.env.docname, chapter=chapter)
        self.env.metadata[self.env.docname].setdefault(QUOTED, {})[chapter] = shown(app.cache, chapter)
        return chapter, code_cells(entry.notebook)

    def nodes_of(self):
        raise NotImplementedError

    def run(self):
        if self.env.app.builder.name == "gettext":  # the chapters have these texts already
            return []
        try:
            return self.nodes_of()
        except BookError as error:
            LOG.warning(error.say(self.env.app.sentences.gettext))
            return []


class QuotedCells(Quoting):
    """The cells of a chapter that have the lines of the content: their code in one block, and what they show."""

    required_arguments = 1
    option_spec = {"only-figures": directives.flag}

    def nodes_of(self):
        chapter, cells = self.chapter(self.arguments[0])
        found = [self.cell(chapter, cells, line) for line in self.content if line.strip()]
        output = [part for cell in found for part in self.output(chapter, cell)]
        output = nodes.container("", *output, classes=["cell_output"])
        if "only-figures" in self.options:
            return [nodes.container("", output, classes=["cell"])]
        code = "\n\n\n".join(cell.source for cell in found)
        block = nodes.literal_block(code, code, language="ipython3")
        block = nodes.container("", block, classes=["cell_input"])
        return [nodes.container("", block, output, classes=["cell"]), self.ways(chapter)]

    def cell(self, chapter, cells, line):
        found = [cell for cell in cells if line in cell.source]
        if len(found) != 1:
            values = {"page": self.env.docname, "chapter": chapter, "count": len(found), "line": repr(line)}
            raise BookError(NO_CELL, **values)
        return found[0]

    def output(self, chapter, cell):
        app = self.env.app
        if (text := "\n".join(printed(cell))) and "only-figures" not in self.options:
            yield nodes.literal_block(text, text, language="none")
        for png in figures(cell):
            yield image(app, png, description(app, chapter, cell))

    def ways(self, chapter):
        """Where a reader goes on: the chapter, and its notebook in Colab."""
        app = self.env.app
        colab = app.book.in_colab(app.book.notebook(chapter, app.config.language))
        run = nodes.reference("", app.sentences.gettext(IN_COLAB), internal=True, refuri=colab)
        # Sphinx would look for a translation of a paragraph.
        return nodes.container("", nodes.inline("", "", link(chapter), nodes.Text(" · "), run))


class Gallery(Quoting):
    """A small figure of each chapter of the content, and a link to it."""

    def nodes_of(self):
        entries = [line.strip().partition(" ") for line in self.content if line.strip()]
        return [
            nodes.container("", *(self.entry(name, number) for name, _space, number in entries), classes=["gallery"])
        ]

    def entry(self, name, number):
        app = self.env.app
        chapter, cells = self.chapter(name)
        every = (png for cell in cells for png in figures(cell))
        found = {str(place): png for place, png in enumerate(every, start=1)}
        if number not in found:
            raise BookError(NO_FIGURE, page=self.env.docname, chapter=chapter, number=number)
        figure = image(app, small(found[number]), "")  # the title beside it says what it is
        return nodes.container("", figure, nodes.inline("", "", link(chapter)))


def outdated(app, env, *_changes):
    """The pages that quote a chapter whose outputs are others now."""
    quoting = {page: data[QUOTED] for page, data in env.metadata.items() if QUOTED in data}
    return [
        page for page, quoted in quoting.items() if any(shown(app.cache, one) != was for one, was in quoted.items())
    ]


def setup_quoting(app):
    app.add_directive("quoted-cells", QuotedCells)
    app.add_directive("gallery", Gallery)
    app.connect("env-get-outdated", if_inputs_changed(outdated))
