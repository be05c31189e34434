"""Nodes that components put into a page: elements of HTML for which docutils has no node, and a line of Markdown."""

from collections.abc import Iterable

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from ci.book.markdown import parser

EMPTY = {"input"}  # the elements without an end tag
MARKS = {"strong": nodes.strong, "em": nodes.emphasis}


class Element(nodes.General, nodes.TextElement):
    """An element of HTML: its `tag` and its `attributes`."""


def element(tag: str, *children: nodes.Node, classes: Iterable[str] = (), **attributes: str) -> Element:
    """Return an element; an underscore in the name of an attribute stands for a hyphen."""
    named = {name.replace("_", "-"): value for name, value in attributes.items()}
    return Element("", "", *children, tag=tag, attributes=named, classes=list(classes))


def inline(markdown: str) -> nodes.inline:
    """Return a line of Markdown as nodes: text, code, formulas and emphasis; of a link, its text."""
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
    """Let Sphinx write elements as HTML."""
    app.add_node(Element, html=(_visit, _depart))
