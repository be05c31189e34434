"""Elements of HTML for which docutils has no node."""

from docutils import nodes

EMPTY = {"input"}  # elements that have no end


class element(nodes.General, nodes.TextElement):
    """An element: its `tag` and its `attributes`."""


def made(tag, *children, classes=(), **attributes):
    """An element; an underscore in the name of an attribute stands for a hyphen."""
    attributes = {name.replace("_", "-"): value for name, value in attributes.items()}
    return element("", "", *children, tag=tag, attributes=attributes, classes=list(classes))


def visit_element(translator, node):
    translator.body.append(translator.starttag(node, node["tag"], "", **node["attributes"]))


def depart_element(translator, node):
    if node["tag"] not in EMPTY:
        translator.body.append(f"</{node['tag']}>\n")


def setup_elements(app):
    app.add_node(element, html=(visit_element, depart_element))
