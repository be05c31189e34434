"""Create nodes for HTML elements that docutils has no node for."""

from collections.abc import Iterable

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

EMPTY = {"input"}  # the elements without an end tag


class Element(nodes.General, nodes.TextElement):
    """A node for an HTML element, with a `tag` and `attributes`."""


def element(tag: str, *children: nodes.Node, classes: Iterable[str] = (), **attributes: str) -> Element:
    """Return a node for an HTML element; underscores in the names of attributes become hyphens."""
    named = {name.replace("_", "-"): value for name, value in attributes.items()}
    return Element("", "", *children, tag=tag, attributes=named, classes=list(classes))


def _visit(translator: HTML5Translator, node: Element) -> None:
    translator.body.append(translator.starttag(node, node["tag"], "", **node["attributes"]))


def _depart(translator: HTML5Translator, node: Element) -> None:
    if node["tag"] not in EMPTY:
        translator.body.append(f"</{node['tag']}>\n")


def setup(app: Sphinx) -> None:
    """Register the node with its HTML visitor."""
    app.add_node(Element, html=(_visit, _depart))
