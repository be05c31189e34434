"""Find where the code of a chapter uses names of libraries, such as `jnp.mean`.

A name is resolved only through imports; the type of a value is never inferred.
"""

import ast
import re
import symtable
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Self

MAGIC = re.compile(r"^[ \t]*[%!].*", re.MULTILINE)
DOTTED = re.compile(r"(\w+)((?:\.\w+)*)")


class Use(NamedTuple):
    """A use of a library's name in code."""

    line: int  # from 1
    start: int  # the column of its first character, from 0
    written: str  # as written in the code, such as "jnp.mean"
    name: str  # the full name, such as "jax.numpy.mean"

    @property
    def end(self) -> int:
        """The column after the last character."""
        return self.start + len(self.written)

    @property
    def shorter(self) -> Self | None:
        """The same use without the last part of its name, or None if the written name has no dot."""
        written, dot, _last = self.written.rpartition(".")
        return self._replace(written=written, name=self.name.rpartition(".")[0]) if dot else None


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
        if isinstance(node, ast.Import):
            yield from ((alias, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((alias, f"{node.module}.{alias.name}") for alias in node.names)


def _imported_names(tree: ast.AST) -> dict[str, str]:
    """Return {bound name: full name} for the imports of a cell."""
    names = {}
    for alias, full in _imports(tree):
        is_package = alias.name == full and not alias.asname  # `import jax.numpy` binds `jax`
        names[alias.asname or alias.name.partition(".")[0]] = full.partition(".")[0] if is_package else full
    return names


def _bound_names(scope: symtable.SymbolTable) -> set[str]:
    """Return the names that a scope, or a scope nested in it, binds otherwise than by an import."""
    own = {symbol.get_name() for symbol in scope.get_symbols() if symbol.is_assigned() or symbol.is_parameter()}
    return own.union(*map(_bound_names, scope.get_children()))


def _candidates(tree: ast.AST, known: dict[str, str]) -> Iterator[tuple[ast.alias | ast.expr, str, str]]:
    """Yield (node, written name, full name) for the imports and for the uses of names in `known`.

    Args:
      known: {bound name: full name}. `a.b.c` is yielded before `a.b` and `a`.
    """
    for alias, full in _imports(tree):
        yield alias, alias.name, full
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute):
            name = DOTTED.fullmatch(ast.unparse(node))
            if name and name[1] in known:
                yield node, name[0], known[name[1]] + name[2]


def _uses_in(code: str, tree: ast.AST, known: dict[str, str]) -> list[Use]:
    """Return the uses in one cell in the order of the text; of `a.b.c`, only the longest."""
    lines = code.split("\n")
    uses: dict[tuple[int, int], Use] = {}
    for node, written, name in _candidates(tree, known):
        line = lines[node.lineno - 1]
        start = len(line.encode()[: node.col_offset].decode())
        if line.startswith(written, start):  # false for a name that continues on the next line
            uses.setdefault((node.lineno, start), Use(node.lineno, start, written, name))
    return [uses[place] for place in sorted(uses)]


def uses(cells: Iterable[str]) -> list[list[Use]]:
    """Return the uses in each cell of a chapter.

    The imports of a cell also apply to the later cells. If a cell binds an imported name to something else, even in a
    function, the name is ignored in it and later, until a cell imports it again.
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
