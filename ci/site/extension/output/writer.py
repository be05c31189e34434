"""Write pages as HTML as Sphinx does, with some more attributes.

An e-book does not have them: it has another stylesheet, and does not scroll.
"""

from html import escape

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from ci.site.css import css_string

STACKED = range(3, 6)  # two columns fit on a phone; of rows with six cells, a phone shows less than one
NARROW = 33  # columns of code that the smallest phones show


def headings(table: nodes.table) -> list[str]:
    """Return the headings of a table, or [] if it has none."""
    head = next(table.findall(nodes.thead), None)
    return [" ".join(entry.astext().split()) for entry in head[0]] if head else []


class Writer(HTML5Translator):
    """Sphinx's translator of pages into HTML."""

    def add(self, attribute: str, tag: str, place: int = -1) -> None:
        """Add an attribute to a tag that was just written."""
        self.body[place] = self.body[place].replace(f"<{tag}", f"<{tag} {attribute}", 1)

    def visit_title(self, node: nodes.title) -> None:
        """Write a heading with the minutes that its section takes to read."""
        place = len(self.body)
        super().visit_title(node)
        if "minutes" in node:
            self.add(f'data-minutes="{escape(node["minutes"])}"', "h2", place)

    def visit_table(self, node: nodes.table) -> None:
        """Name the headings of a table, so that a phone can show the cells of a row below each other.

        The page names them once, for the stylesheet, since hundreds of rows would repeat them. A table whose author
        has given it a width stays as it is.
        """
        super().visit_table(node)
        names = headings(node)
        if len(names) in STACKED and "width" not in node:
            numbered = enumerate(names[1:], start=2)
            style = "; ".join(f"--heading-{number}: {css_string(name)}" for number, name in numbered)
            self.add(f'style="{escape(style)}"', "table")

    def visit_literal_block(self, node: nodes.literal_block) -> None:
        """Let the keyboard scroll code that may be too wide; the page's script takes that back where it fits."""
        try:
            super().visit_literal_block(node)  # which ends by SkipNode
        finally:
            if max(map(len, node.astext().splitlines()), default=0) > NARROW:
                self.add('tabindex="0"', "pre")


def setup(app: Sphinx) -> None:
    """Let pages of the site be written so."""
    app.set_translator("html", Writer, override=True)
