"""Create nodes: for HTML elements that docutils has no node for, and from a line of Markdown."""

from collections.abc import Iterable

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from ci.book.markdown import parser

EMPTY = {"input"}  # the elements without an end tag
MARKS = {"strong": nodes.strong, "em": nodes.emphasis}


class Element(nodes.General, nodes.TextElement):
    """A node for an HTML element, with a `tag` and `attributes`."""


def element(tag: str, *children: nodes.Node, classes: Iterable[str] = (), **attributes: str) -> Element:
    """Return a node for an HTML element; underscores in the names of attributes become hyphens."""
    named = {name.replace("_", "-"): value for name, value in attributes.items()}
    return Element("", "", *children, tag=tag, attributes=named, classes=list(classes))


def inline(markdown: str) -> nodes.inline:
    """Convert a line of Markdown to nodes: text, code, formulas and emphasis. Links become plain text."""
    root = nodes.inline()
    here: nodes.Element = root
    for token in parser().parseInline(markdown)[0].children or ():
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


def _visit(translator: HTML5Translator, node: Element) -> None:
    translator.body.append(translator.starttag(node, node["tag"], "", **node["attributes"]))


def _depart(translator: HTML5Translator, node: Element) -> None:
    if node["tag"] not in EMPTY:
        translator.body.append(f"</{node['tag']}>\n")


def setup(app: Sphinx) -> None:
    """Register the node with its HTML visitor."""
    app.add_node(Element, html=(_visit, _depart))
