"""Link names in code to the documentation of their library: each name once on a page, at its first use.

More links would hinder readers who use the keyboard. sphinx-codeautolink links every use, and every variable whose
type it can infer; it also drops the links of a page if only the translation of the page has changed
(https://github.com/felix-hilden/sphinx-codeautolink/issues/181).
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.ext.intersphinx import InventoryAdapter

from ci.site.documentation.names import Use, uses
from ci.site.extension.cells.highlighting import MARKS, Mark


class Documentation(NamedTuple):
    """The documented names of all libraries: {full name: URL}, and those that are modules."""

    addresses: dict[str, str]
    modules: set[str]

    def find(self, use: Use) -> Use | None:
        """Return the use reduced to the longest documented prefix of its name, or None if there is none.

        A module counts only if it is the whole name: its page does not document the names in it.
        """
        part: Use | None = use
        while part and (part.name not in self.addresses or (part is not use and part.name in self.modules)):
            part = part.shorter
        return part


def _documentation(env: BuildEnvironment, names: Iterable[str]) -> Documentation:
    """Return the Python names of some inventories, given their intersphinx names; the first one with a name wins."""
    found = Documentation({}, set())
    for inventory in map(InventoryAdapter(env).named_inventory.get, names):
        for kind, items in (inventory or {}).items():
            domain, _colon, role = kind.partition(":")
            if domain == "py":
                found.addresses.update((name, item[2]) for name, item in items.items() if name not in found.addresses)
                found.modules.update(items if role == "module" else ())
    return found


def _code_blocks(doctree: nodes.document) -> list[nodes.literal_block]:
    cells = doctree.findall(lambda node: isinstance(node, nodes.container) and "cell_input" in node["classes"])
    return [block for cell in cells if (block := cell.next_node(nodes.literal_block))]


def _links(cells: Iterable[str], known: Documentation) -> Iterator[list[Mark]]:
    """Yield, for each cell of a page, the links of the names that no earlier use has linked."""
    seen = set()
    for in_cell in uses(cells):
        marks = []
        for use in filter(None, map(known.find, in_cell)):
            if use.name not in seen:
                seen.add(use.name)
                marks.append(Mark(use.line, use.start, use.end, known.addresses[use.name]))
        yield marks


def _link_names(app: Sphinx, doctree: nodes.document, _page: str) -> None:
    """Store the links of each code block for the formatter, in HTML builds only: an EPUB may be read offline."""
    if app.builder.name == "html":
        blocks = _code_blocks(doctree)
        known = _documentation(app.env, app.config.intersphinx_mapping)
        for block, marks in zip(blocks, _links([block.astext() for block in blocks], known), strict=True):
            arguments = block.setdefault("highlight_args", {})
            arguments[MARKS] = [*arguments.get(MARKS, []), *marks]


def setup(app: Sphinx) -> None:
    """Set up intersphinx, which reads the inventories, and connect the handler."""
    app.setup_extension("sphinx.ext.intersphinx")
    app.connect("doctree-resolved", _link_names)
