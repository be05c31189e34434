"""Makes the names of sections in the last column of a table lead to them: "shown in", "where"."""

import re
from collections import Counter

from docutils import nodes

PARTS = re.compile("[:,：，、]")  # what stands before is a name as well
QUOTES = "“”„‘’‚«»「」『』"
# Of a list, in any language: not what joins words.
SEPARATOR = r"[^\w\s'’-]"


def names_of_sections(doctree):
    """Returns {name: id} of the sections below the title: titles, and what stands in them before a colon or comma.

    A name that two sections have leads nowhere.
    """
    found = []
    for section in doctree.findall(nodes.section):
        if isinstance(section.parent, nodes.section):
            title = section.next_node(nodes.title).astext()
            found += [(name, section["ids"][0]) for name in dict.fromkeys([PARTS.split(title)[0], title])]
    counts = Counter(name for name, _id in found)
    return {name: id for name, id in found if counts[name] == 1}


def in_lists(names):
    """What finds such names where they are a whole text, or an item of a list in it, be it in quotation marks."""
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    before, after = rf"(?:^|(?<={SEPARATOR})|(?<={SEPARATOR} ))", rf"(?=$|{SEPARATOR})"
    return re.compile(rf"{before}(?:{'|'.join(longest_first)}){after}")


def link(id, *children):
    return nodes.reference("", "", *children, internal=True, refid=id)


def linked(text, sections, pattern):
    """The nodes that stand for a text."""
    found, last = [], 0
    for match in pattern.finditer(text):
        found += [nodes.Text(text[last : match.start()]), link(sections[match[0]], nodes.Text(match[0]))]
        last = match.end()
    return [*found, nodes.Text(text[last:])]


def link_cell(cell, sections, pattern):
    """Links the names in a cell in which the author has made no link; a title with code only where it is all of it."""
    if next(cell.findall(nodes.reference), None):
        return
    if id := sections.get(cell.astext().strip(QUOTES)):
        inside = cell.next_node(nodes.paragraph) or cell
        inside[:] = [link(id, *inside.children)]
        return
    for text in [*cell.findall(nodes.Text)]:
        if not isinstance(text.parent, nodes.literal):
            text.parent.replace(text, linked(str(text), sections, pattern))


def link_sections(app, doctree, docname):
    if sections := names_of_sections(doctree):
        pattern = in_lists(sections)
        for body in doctree.findall(nodes.tbody):
            for row in body:
                link_cell(row[-1], sections, pattern)


def setup_section_links(app):
    app.connect("doctree-resolved", link_sections)
