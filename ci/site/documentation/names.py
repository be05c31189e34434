"""Find the names of libraries in the code of a chapter.

Only imports decide what a name stands for. The type of a value is never guessed.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Self

MAGIC = re.compile(r"^[ \t]*[%!].*", re.MULTILINE)


class Use(NamedTuple):
    """A name in code.

    Attributes:
      line: The line, counted from 1.
      start: The column of its first character, counted from 0.
      written: The name as the code has it, such as "jnp.mean".
      name: The full name, such as "jax.numpy.mean".
    """

    line: int
    start: int
    written: str
    name: str

    @property
    def end(self) -> int:
        """The column after the last character."""
        return self.start + len(self.written)

    @property
    def shorter(self) -> Self | None:
        """The same use without the last part of the name, or None if the code has only one part."""
        written, dot, _last = self.written.rpartition(".")
        return self._replace(written=written, name=self.name.rpartition(".")[0]) if dot else None


def parse(code: str) -> ast.Module:
    """Return the syntax tree of a cell without its magics; an empty tree if the code has a syntax error."""
    try:
        return ast.parse(MAGIC.sub("", code))
    except SyntaxError:
        return ast.Module(body=[], type_ignores=[])


def imports(tree: ast.AST) -> Iterator[tuple[ast.alias, str]]:
    """Yield each absolute import of a module or of a name, with its full name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from ((alias, f"{node.module}.{alias.name}") for alias in node.names)


def imported_names(tree: ast.AST) -> dict[str, str]:
    """Return {name in the code: full name} for the imports of a cell."""
    names = {}
    for alias, full in imports(tree):
        is_package = alias.name == full and not alias.asname  # `import jax.numpy` binds `jax`
        names[alias.asname or alias.name.partition(".")[0]] = full.partition(".")[0] if is_package else full
    return names


def bound_names(tree: ast.AST) -> set[str]:
    """Return the names that a cell binds to something other than an absolute import, in any scope."""
    bound: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                bound.add(name)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                bound.add(node.name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                bound.add(name)
            case ast.MatchMapping(rest=str(name)):
                bound.add(name)
            case ast.ImportFrom(level=level, names=names) if level:
                bound.update(alias.asname or alias.name for alias in names)
    return bound


def dotted(node: ast.AST) -> str:
    """Return a name with its attributes, such as "jnp.mean"; "" for any other expression."""
    if isinstance(node, ast.Name):
        return node.id
    before = dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{before}.{node.attr}" if before and isinstance(node, ast.Attribute) else ""


def candidates(tree: ast.AST, known: dict[str, str]) -> Iterator[tuple[ast.alias | ast.expr, str, str]]:
    """Yield (node, name in the code, full name) for imports and for names that `known` has, outermost first."""
    for alias, full in imports(tree):
        yield alias, alias.name, full
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and (written := dotted(node)):
            first, dot, rest = written.partition(".")
            if first in known:
                yield node, written, f"{known[first]}{dot}{rest}"


def uses_in(code: str, tree: ast.AST, known: dict[str, str]) -> list[Use]:
    """Return the uses in one cell in the order of the text, each as long as it can be."""
    lines = code.split("\n")
    uses: dict[tuple[int, int], Use] = {}
    for node, written, name in candidates(tree, known):
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
        tree = parse(code)
        known |= imported_names(tree)
        for name in bound_names(tree):
            known.pop(name, None)
        found.append(uses_in(code, tree, known))
    return found


def imported_modules(cells: Iterable[str]) -> set[str]:
    """Return the modules that cells import, or import names from."""
    modules: set[str] = set()
    for node in (node for code in cells for node in ast.walk(parse(code))):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules.add(node.module)
    return modules
