"""Make the titles of sections in the last column of a table ("shown in", "where") lead to the sections."""

import re
from collections import Counter

from docutils import nodes
from sphinx.application import Sphinx

PARTS = re.compile("[:,：，、]")  # the part of a title before the first of these is a name as well
QUOTES = "“”„‘’‚«»「」『』"
SEPARATOR = r"[^\w\s'’-]"  # between the items of a list, in any language


def names_of_sections(doctree: nodes.document) -> dict[str, str]:
    """Return {name: id} of the sections below the title, without the names that two sections have.

    Names are titles, and the part of a title before a colon or a comma.
    """
    named = []
    for section in doctree.findall(nodes.section):
        if isinstance(section.parent, nodes.section):
            title = section.next_node(nodes.title).astext()
            named += [(name, section["ids"][0]) for name in {PARTS.split(title)[0], title}]
    counts = Counter(name for name, _id in named)
    return {name: id for name, id in named if counts[name] == 1}


def in_lists(names: dict[str, str]) -> re.Pattern[str]:
    """Return a pattern that matches the names where they are a whole text, or an item of a list in it."""
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    before, after = rf"(?:^|(?<={SEPARATOR})|(?<={SEPARATOR} ))", rf"(?=$|{SEPARATOR})"
    return re.compile(rf"{before}({'|'.join(longest_first)}){after}")


def link(id: str, *children: nodes.Node) -> nodes.reference:
    """Return a link to a section of the page."""
    return nodes.reference("", "", *children, internal=True, refid=id)


def link_cell(cell: nodes.entry, sections: dict[str, str], pattern: re.Pattern[str]) -> None:
    """Link the names in a cell without links; a title with code only where it is the whole cell."""
    if next(cell.findall(nodes.reference), None):
        return
    if id := sections.get(cell.astext().strip(QUOTES)):
        inside = cell.next_node(nodes.paragraph) or cell
        inside[:] = [link(id, *inside.children)]
        return
    for text in [*cell.findall(nodes.Text)]:
        if not isinstance(text.parent, nodes.literal):
            pieces = map(nodes.Text, pattern.split(text))  # every second one is a name
            text.parent.replace(text, [link(sections[p], p) if number % 2 else p for number, p in enumerate(pieces)])


def link_sections(_app: Sphinx, doctree: nodes.document, _docname: str) -> None:
    """Link the last column of all tables of a page."""
    if sections := names_of_sections(doctree):
        pattern = in_lists(sections)
        for body in doctree.findall(nodes.tbody):
            for row in body:
                link_cell(row[-1], sections, pattern)


def setup(app: Sphinx) -> None:
    """Connect the handler."""
    app.connect("doctree-resolved", link_sections)
