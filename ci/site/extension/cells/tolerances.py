"""Say under the outputs of a cell by how much its numbers may differ, if it allows a tolerance or shows times."""

from collections.abc import Callable, Mapping

from docutils import nodes

from ci import _
from ci.outputs import compare
from ci.site.extension.application import BookApp, errors_as_sphinx_says_them

DIFFER = _("Numbers may differ by {percent} %.")
TIMES = _("Times were measured when this page was built.")


def sentence(metadata: Mapping[str, object], gettext: Callable[[str], str]) -> str:
    """Return the sentence on the tolerance of a cell, or ""; raise BookError if the tolerance is no percentage."""
    if compare.TOLERANCE not in metadata:
        return ""
    if metadata[compare.TOLERANCE] == compare.TIMES:
        return gettext(TIMES)
    return gettext(DIFFER).format(percent=f"{100 * compare.tolerance(metadata):g}")


def _say(app: BookApp, doctree: nodes.document, _page: str) -> None:
    """Add the sentence to the shown outputs of each cell; so late that the search does not find it."""
    for cell in doctree.findall(lambda node: isinstance(node, nodes.container) and "cell_metadata" in node):
        with errors_as_sphinx_says_them():
            text = sentence(cell["cell_metadata"], app.sentences.gettext)
        for output in list(cell.findall(nodes.container)) if text else ():
            if "cell_output" in output["classes"] and output.children:
                output += nodes.paragraph("", text, classes=["tolerance"])


def setup(app: BookApp) -> None:
    """Connect the handler."""
    app.connect("doctree-resolved", _say)
