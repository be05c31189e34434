"""Find the names of libraries in the code of a chapter.

Only imports decide what a name stands for. The type of a value is never guessed.
"""

import ast
import re
import symtable
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Self

MAGIC = re.compile(r"^[ \t]*[%!].*", re.MULTILINE)
DOTTED = re.compile(r"(\w+)((?:\.\w+)*)")


class Use(NamedTuple):
    """A name in code."""

    line: int  # from 1
    start: int  # the column of its first character, from 0
    written: str  # as the code has it, such as "jnp.mean"
    name: str  # in full, such as "jax.numpy.mean"

    @property
    def end(self) -> int:
        """The column after the last character."""
        return self.start + len(self.written)

    @property
    def shorter(self) -> Self | None:
        """The same use without the last part of the name, or None if the code has only one part."""
        written, dot, _last = self.written.rpartition(".")
        return self._replace(written=written, name=self.name.rpartition(".")[0]) if dot else None


def _parse(code: str) -> tuple[ast.Module, symtable.SymbolTable]:
    """Return the tree and the names of a cell without its magics; those of an empty one if it has a syntax error."""
    python = MAGIC.sub("", code)
    try:
        return ast.parse(python), symtable.symtable(python, "", "exec")
    except SyntaxError:
        return _parse("")


def _imports(tree: ast.AST) -> Iterator[tuple[ast.alias, str]]:
    """Yield each import of a module or of a name, with its full name. No cell has a relative one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((alias, f"{node.module}.{alias.name}") for alias in node.names)


def _imported_names(tree: ast.AST) -> dict[str, str]:
    """Return {name in the code: full name} for the imports of a cell."""
    names = {}
    for alias, full in _imports(tree):
        is_package = alias.name == full and not alias.asname  # `import jax.numpy` binds `jax`
        names[alias.asname or alias.name.partition(".")[0]] = full.partition(".")[0] if is_package else full
    return names


def _bound_names(scope: symtable.SymbolTable) -> set[str]:
    """Return the names that a scope and those in it bind to something other than an import."""
    own = {symbol.get_name() for symbol in scope.get_symbols() if symbol.is_assigned() or symbol.is_parameter()}
    return own.union(*map(_bound_names, scope.get_children()))


def _candidates(tree: ast.AST, known: dict[str, str]) -> Iterator[tuple[ast.alias | ast.expr, str, str]]:
    """Yield (node, name in the code, full name) for imports and for names that `known` has, outermost first."""
    for alias, full in _imports(tree):
        yield alias, alias.name, full
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute):
            name = DOTTED.fullmatch(ast.unparse(node))
            if name and name[1] in known:
                yield node, name[0], known[name[1]] + name[2]


def _uses_in(code: str, tree: ast.AST, known: dict[str, str]) -> list[Use]:
    """Return the uses in one cell in the order of the text, each as long as it can be."""
    lines = code.split("\n")
    uses: dict[tuple[int, int], Use] = {}
    for node, written, name in _candidates(tree, known):
        line = lines[node.lineno - 1]
        start = len(line.encode()[: node.col_offset].decode())
        if line.startswith(written, start):  # false for a name that goes on in another line
            uses.setdefault((node.lineno, start), Use(node.lineno, start, written, name))
    return [uses[place] for place in sorted(uses)]


def uses(cells: Iterable[str]) -> list[list[Use]]:
    """Return the uses in each cell of a chapter.

    A cell knows the imports of the cells before it. From the cell on in which a name is bound to something else, be it
    in a function, the name is unknown until it is imported again.
    """
    known: dict[str, str] = {}
    found = []
    for code in cells:
        tree, scope = _parse(code)
        known |= _imported_names(tree)
        for name in _bound_names(scope):
            known.pop(name, None)
        found.append(_uses_in(code, tree, known))
    return found


def imported_modules(cells: Iterable[str]) -> set[str]:
    """Return the modules that cells import, or import names from."""
    modules: set[str] = set()
    for node in (node for code in cells for node in ast.walk(_parse(code)[0])):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules.add(node.module)
    return modules
