"""Write the pages of the site, not of an EPUB, as Sphinx does, with additional HTML attributes."""

import re
from html import escape

from docutils import nodes
from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

# The numbers of columns of tables whose cells a phone shows below each other. Two columns fit side by side; a stacked
# row of six cells would be higher than the screen.
STACKED = range(3, 6)
NARROW = 33  # characters of a line of code that the smallest phones show


def css_string(text: str) -> Markup:
    """Return a text as a CSS string that is also safe in a `<style>` element and a `style` attribute of HTML."""
    escaped = re.sub(r'["\\<\n]', lambda match: f"\\{ord(match[0]):x} ", text)
    return Markup(f'"{escaped}"')


def headings(table: nodes.table) -> list[str]:
    """Return the column headings of a table, or [] if it has none."""
    head = next(table.findall(nodes.thead), None)
    return [" ".join(entry.astext().split()) for entry in head[0]] if head else []


class Writer(HTML5Translator):
    """Sphinx's HTML translator, extended by attributes of titles, tables and code."""

    def add(self, attribute: str, tag: str, place: int = -1) -> None:
        """Insert an attribute into a start tag in `self.body[place]`, by default in the last written string."""
        self.body[place] = self.body[place].replace(f"<{tag}", f"<{tag} {attribute}", 1)

    def visit_title(self, node: nodes.title) -> None:
        """Write a title; add the reading time that `pages.minutes` has stored as the attribute `data-minutes`."""
        place = len(self.body)
        super().visit_title(node)
        if "minutes" in node:
            self.add(f'data-minutes="{escape(node["minutes"])}"', "h2", place)

    def visit_table(self, node: nodes.table) -> None:
        """Write a table with its headings as CSS variables, once for all rows, for phones, which stack their cells.

        A table whose author has set a width is not stacked.
        """
        super().visit_table(node)
        names = headings(node)
        if len(names) in STACKED and "width" not in node:
            numbered = enumerate(names[1:], start=2)
            style = "; ".join(f"--heading-{number}: {css_string(name)}" for number, name in numbered)
            self.add(f'style="{escape(style)}"', "table")

    def visit_literal_block(self, node: nodes.literal_block) -> None:
        """Write code; if it may be too wide, make it focusable, to scroll it by keys; book.js undoes it if it fits."""
        try:
            super().visit_literal_block(node)  # raises SkipNode
        finally:
            if max(map(len, node.astext().splitlines()), default=0) > NARROW:
                self.add('tabindex="0"', "pre")


def setup(app: Sphinx) -> None:
    """Use the translator for HTML builds."""
    app.set_translator("html", Writer, override=True)
