"""Write the cells of a notebook as Markdown for Jekyll, with the figures as files of their own."""

import base64
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bs4 import BeautifulSoup, Comment
from nbconvert.filters import strip_ansi
from nbconvert.preprocessors import HighlightMagicsPreprocessor
from nbformat import NotebookNode

from ci import _
from ci.catalogues.fault import Gettext
from ci.site.export.kramdown import fenced, folded, paragraph

SHOW_CODE, SHOW_SOLUTION = _("Show the code"), _("Show the solution")
PICTURES = {"image/png": ".png", "image/jpeg": ".jpg", "image/svg+xml": ".svg"}
KEPT_TAGS = {
    *("table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"),
    *("b", "br", "code", "div", "em", "i", "li", "ol", "p", "pre", "span", "strong", "ul"),
}
KEPT_ATTRIBUTES = ("colspan", "rowspan")


def printed(text: str) -> str:
    """Return what a terminal shows of an output in the end: no colours, and no line that was overwritten."""
    return re.sub(r"[^\n]*\r(?=[^\r\n])", "", strip_ansi(text)).replace("\r", "")


def harmless(source: str) -> str:
    """Return the text, tables and emphasis of HTML, without scripts, styles and links; "" if no text is left."""
    soup = BeautifulSoup(source, "html.parser")
    for piece in [*soup(["script", "style", "template"]), *soup(string=lambda text: isinstance(text, Comment))]:
        piece.extract()
    for tag in soup(True):
        tag.attrs = {key: value for key, value in tag.attrs.items() if key in KEPT_ATTRIBUTES}
        if tag.name not in KEPT_TAGS:
            tag.unwrap()
    return re.sub(r"\n\s*\n", "\n", str(soup).strip()) if soup.get_text(strip=True) else ""


@dataclass
class Body:
    """Writes the cells of a notebook, in order, and numbers their figures.

    Attributes:
      picture: returns the Markdown for a file and its description.
      descriptions: the translations of the descriptions of figures.
      gettext: translates the words of the post.
      figures: {file: content} of the figures so far.
    """

    picture: Callable[[str, str], str]
    descriptions: Mapping[str, str]
    gettext: Gettext
    figures: dict[str, bytes] = field(default_factory=dict)

    def cell(self, cell: NotebookNode) -> str:
        """Return a cell with its outputs, as its tags demand; "" for a cell that the post does not show."""
        tags = cell.metadata.get("tags", [])
        if "remove-cell" in tags or cell.cell_type == "raw":
            return ""
        if cell.cell_type == "markdown":
            return paragraph(cell.source)
        code = "" if "remove-input" in tags else self.code(cell.source)
        if "hide-input" in tags:
            code = folded(self.gettext(SHOW_CODE), code)
        if "remove-output" not in tags:
            description = " ".join(cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "").split())
            code += "".join(self.output(output, description) for output in cell.outputs)
        return folded(self.gettext(SHOW_SOLUTION), code) if "hide-cell" in tags else code

    def code(self, source: str) -> str:
        """Return a code block in Python, or in the language that a magic such as `%%bash` names."""
        return fenced(source, HighlightMagicsPreprocessor().which_magic_language(source) or "python")

    def output(self, output: NotebookNode, description: str) -> str:
        """Return an output in the best of its formats: a picture, HTML or text."""
        if output.output_type == "stream":
            return fenced(printed(output.text), "text")
        if output.output_type == "error":
            return fenced(printed("\n".join(output.traceback)), "text")
        for kind in filter(output.data.get, PICTURES):
            return self.figure(kind, output.data[kind], description)
        if html := harmless(output.data.get("text/html", "")):
            return paragraph(f'<div markdown="0">\n{html}\n</div>')
        return fenced(printed(output.data.get("text/plain", "")), "text")

    def figure(self, kind: str, content: str, description: str) -> str:
        """Return the Markdown of a picture, which becomes a file; only SVG is stored as text."""
        file = f"figure-{len(self.figures) + 1}{PICTURES[kind]}"
        self.figures[file] = content.encode() if kind == "image/svg+xml" else base64.b64decode(content)
        return f"{self.picture(file, self.descriptions.get(description, description))}\n\n"
