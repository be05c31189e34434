"""Link the section titles in the last column of a table ("shown in", "where") to the sections of the page."""

import re
from collections import Counter

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

PARTS = re.compile("[:,：，、]")  # the part of a title before the first of these also names the section
QUOTES = "“”„‘’‚«»「」『』"
SEPARATOR = r"[^\w\s'’-]"  # between the items of a list, in any language


def names_of_sections(doctree: nodes.Element) -> dict[str, str]:
    """Return {name: id} for the sections of a page, without names that belong to more than one section.

    The names of a section are its title, and the part of the title before a colon or a comma.
    """
    named = []
    for section in doctree.findall(nodes.section):
        if isinstance(section.parent, nodes.section):
            title = section.next_node(nodes.title).astext()
            named += [(name, section["ids"][0]) for name in {PARTS.split(title)[0], title}]
    counts = Counter(name for name, _id in named)
    return {name: id for name, id in named if counts[name] == 1}


def in_lists(names: dict[str, str]) -> re.Pattern[str]:
    """Return a pattern that matches a name if it is the whole text, or an item of a list with punctuation."""
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    before, after = rf"(?:^|(?<={SEPARATOR})|(?<={SEPARATOR} ))", rf"(?=$|{SEPARATOR})"
    return re.compile(rf"{before}({'|'.join(longest_first)}){after}")


def link(id: str, *children: nodes.Node) -> nodes.reference:
    """Return a link to the section of the page with this id."""
    return nodes.reference("", "", *children, internal=True, refid=id)


def link_cell(cell: nodes.entry, sections: dict[str, str], pattern: re.Pattern[str]) -> None:
    """Link the names in a cell, unless it has links already. A title that contains code must be the whole cell."""
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
    """Link section names in the last column of all tables of a page, or of each page where all are one document."""
    for page in [*doctree.findall(addnodes.start_of_file)] or [doctree]:
        if sections := names_of_sections(page):
            pattern = in_lists(sections)
            for body in page.findall(nodes.tbody):
                for row in body:
                    link_cell(row[-1], sections, pattern)


def setup(app: Sphinx) -> None:
    """Connect the handler."""
    app.connect("doctree-resolved", link_sections)
