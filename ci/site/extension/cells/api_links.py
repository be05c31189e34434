"""Link names in code to the documentation of their library: each name once on a page, at its first use.

A name is resolved only through imports; the type of a value is never inferred. More links would hinder readers who use
the keyboard: sphinx-codeautolink links every use, and every variable whose type it can infer.

`_config.yml` lists the inventories of the libraries. Their copies in `ci/site/documentation` need no network; `nox -s
inventories` fetches them anew.
"""

import ast
import re
import symtable
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.ext.intersphinx import InventoryAdapter

from ci.site.extension.cells.highlighting import MARKS, Mark

MAGIC = re.compile(r"^[ \t]*[%!].*", re.MULTILINE)
DOTTED = re.compile(r"(\w+)((?:\.\w+)*)")


class Use(NamedTuple):
    """A use of a library's name in code."""

    line: int  # from 1
    start: int  # the column of its first character, from 0
    written: str  # as written in the code, such as "jnp.mean"
    name: str  # the full name, such as "jax.numpy.mean"


class Documentation(NamedTuple):
    """The documented names of all libraries: {full name: URL}, and those that are modules."""

    addresses: dict[str, str]
    modules: set[str]

    def find(self, use: Use) -> Use:
        """Return the use reduced to the longest documented prefix of its name; `written` is "" if there is none.

        A module counts only if it is the whole name: its page does not document the names in it.
        """
        _line, _start, written, name = use
        while written and (name not in self.addresses or (name != use.name and name in self.modules)):
            written, name = written.rpartition(".")[0], name.rpartition(".")[0]
        return use._replace(written=written, name=name)


def _parse(code: str) -> tuple[ast.Module, symtable.SymbolTable]:
    """Return the syntax tree and symbol table of a cell without its magics; empty ones if it has a syntax error."""
    python = MAGIC.sub("", code)
    try:
        return ast.parse(python), symtable.symtable(python, "", "exec")
    except SyntaxError:
        return _parse("")


def _imports(tree: ast.AST) -> Iterator[tuple[ast.alias, str]]:
    """Yield (alias node, full name) for each imported module or name. Relative imports are not supported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            yield from ((alias, module + alias.name) for alias in node.names)


def _imported_names(tree: ast.AST) -> dict[str, str]:
    """Return {bound name: full name} for the imports of a cell."""
    names = {}
    for alias, full in _imports(tree):
        first = alias.name.partition(".")[0]
        names[alias.asname or first] = first if alias.name == full and not alias.asname else full  # `import jax.numpy`
    return names


def _bound_names(scope: symtable.SymbolTable) -> set[str]:
    """Return the names that a scope, or a scope nested in it, binds otherwise than by an import."""
    own = {symbol.get_name() for symbol in scope.get_symbols() if symbol.is_assigned() or symbol.is_parameter()}
    return own.union(*map(_bound_names, scope.get_children()))


def _uses_in(code: str, tree: ast.AST, known: dict[str, str]) -> list[Use]:
    """Return the uses in a cell of {bound name: full name}, in the order of the text; of `a.b.c`, only the longest."""
    found: list[tuple[ast.alias | ast.expr, str, str]] = [(alias, alias.name, full) for alias, full in _imports(tree)]
    for node in ast.walk(tree):  # `a.b.c` comes before `a.b` and `a`
        if isinstance(node, ast.Name | ast.Attribute):
            name = DOTTED.fullmatch(ast.unparse(node))
            if name and name[1] in known:
                found.append((node, name[0], known[name[1]] + name[2]))
    uses: dict[tuple[int, int], Use] = {}
    for node, written, full in found:
        line = code.split("\n")[node.lineno - 1]
        start = len(line.encode()[: node.col_offset].decode())
        if line.startswith(written, start):  # false for a name that continues on the next line
            uses.setdefault((node.lineno, start), Use(node.lineno, start, written, full))
    return [uses[place] for place in sorted(uses)]


def uses(cells: Iterable[str]) -> Iterator[list[Use]]:
    """Yield the uses in each cell of a chapter.

    The imports of a cell also apply to the later cells. If a cell binds an imported name to something else, even in a
    function, the name is ignored in it and later, until a cell imports it again.
    """
    known: dict[str, str] = {}
    for code in cells:
        tree, scope = _parse(code)
        known |= _imported_names(tree)
        for name in _bound_names(scope):
            known.pop(name, None)
        yield _uses_in(code, tree, known)


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


def _link_names(app: Sphinx, doctree: nodes.document, _page: str) -> None:
    """Store the links of each code block for the formatter, in HTML builds only: an EPUB may be read offline."""
    if app.builder.name != "html":
        return
    cells = doctree.findall(lambda node: isinstance(node, nodes.container) and "cell_input" in node["classes"])
    blocks = [block for cell in cells if (block := cell.next_node(nodes.literal_block))]
    known, linked = _documentation(app.env, app.config.intersphinx_mapping), set()
    for block, found in zip(blocks, uses(block.astext() for block in blocks), strict=True):
        marks = block.setdefault("highlight_args", {}).setdefault(MARKS, [])
        for use in map(known.find, found):
            if use.written and use.name not in linked:
                linked.add(use.name)
                marks.append(Mark(use.line, use.start, use.start + len(use.written), known.addresses[use.name]))


def setup(app: Sphinx) -> None:
    """Set up intersphinx, which reads the inventories, and connect the handler."""
    app.setup_extension("sphinx.ext.intersphinx")
    app.connect("doctree-resolved", _link_names)
