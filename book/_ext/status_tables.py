"""Fills the tables of the status page with what the build knows; nobody writes them by hand.

Each directive holds the heading of a table, which is translated like any other text:

    ```{status-chapters}
    | chapter | cells | … |
    |---|---|---|
    ```
"""

from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from ci.chapters import Book
from ci.status import chapter_statuses


def row(*cells):
    """A row of a table; each cell is a node, or something whose text is shown and not translated."""
    entries = []
    for cell in cells:
        if not isinstance(cell, nodes.Node):
            cell = nodes.Text(str(cell))
        entries.append(nodes.entry("", nodes.paragraph("", "", cell)))
    return nodes.row("", *entries)


def link(name):
    """A link to a page, with the page's title in the language of the site."""
    reference = {"refdomain": "std", "reftype": "doc", "reftarget": f"/{name}", "refexplicit": False, "refwarn": True}
    return addnodes.pending_xref("", nodes.inline(), **reference)


class Table(SphinxDirective):
    """A table whose heading is the content of the directive, and whose rows come from `rows`."""

    has_content = True

    def statuses(self):
        """What the chapters' table and the environment's share while the page is read."""
        shared = self.env.temp_data
        if "chapter_statuses" not in shared:
            shared["chapter_statuses"] = chapter_statuses(Book(Path(self.env.srcdir)))
        return shared["chapter_statuses"]

    def run(self):
        self.env.note_reread()
        table = next(node for node in self.parse_content_to_nodes() if isinstance(node, nodes.table))
        width = len(list(table.findall(nodes.colspec)))
        body = nodes.tbody("", *self.rows(self.statuses()))
        for line in body:
            if len(line) != width:
                raise ExtensionError(f"{self.env.docname}: {self.name} has {len(line)} columns, its heading {width}")
        table.next_node(nodes.tgroup).append(body)
        return [table]


class Chapters(Table):
    """chapter, code cells, of them with a tolerance of their own, of them not compared, seconds, date"""

    def rows(self, statuses):
        return [
            row(link(one.name), one.cells, one.tolerant, one.exempt, f"{one.seconds:.0f}", one.environment["date"])
            for one in statuses
        ]


class Environment(Table):
    """name, value; as of the chapter executed last"""

    def rows(self, statuses):
        newest = max((one.environment for one in statuses), key=lambda found: found["date"], default={})
        return [row(name, value) for name, value in newest.items() if name != "date"]


def setup(app):
    app.add_directive("status-chapters", Chapters)
    app.add_directive("status-environment", Environment)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
