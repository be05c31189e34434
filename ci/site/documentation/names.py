"""Which names of libraries the code of a chapter uses, and where they stand.

What the code says decides: its imports, and whether a name has been bound to something else since. Nothing is guessed
from the type of a value.
"""

import ast
import re
from contextlib import contextmanager
from typing import NamedTuple

MAGIC = re.compile(r"^[ \t]*[%!].*", re.MULTILINE)
FILE = re.compile(r"%%writefile\s+(?P<added>-a\s+)?(?P<name>\S+)")


class Use(NamedTuple):
    """A name in code.

    Attributes:
      line: from 1.
      start: of the line, from 0.
      written: such as "jnp.mean".
      name: in full, such as "jax.numpy.mean".
    """

    line: int
    start: int
    written: str
    name: str

    @property
    def shorter(self):
        """The same without its last part, such as "jnp"; None if that would be nothing."""
        written, dot, _last = self.written.rpartition(".")
        return self._replace(written=written, name=self.name.rpartition(".")[0]) if dot else None


def parts(node):
    """The names of which a chain of attributes is made, such as ["jnp", "mean"]; none for any other expression."""
    if isinstance(node, ast.Name):
        return [node.id]
    before = parts(node.value) if isinstance(node, ast.Attribute) else []
    return [*before, node.attr] if before else []


def bound(body):
    """The names to which code assigns, wherever in it."""
    nodes = (node for statement in body for node in ast.walk(statement))
    return {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}


class Reader(ast.NodeVisitor):
    """Collects the names in code, in the order in which it is executed.

    Attributes:
      known: {name: what it stands for, in full}, as the code before has left it; kept up to date.
      found: [Use], in no order.
    """

    def __init__(self, code, known):
        self.lines, self.known, self.found = code.split("\n"), known, []

    def add(self, node, written, name):
        line = self.lines[node.lineno - 1]
        start = len(line.encode()[: node.col_offset].decode())
        if line.startswith(written, start):  # which a chain that is broken over lines does not
            self.found.append(Use(node.lineno, start, written, name))

    def visit_each(self, *fields):
        for field in fields:
            for node in field if isinstance(field, list) else [field]:
                if node is not None:
                    self.visit(node)

    def forget(self, *names):
        for name in names:
            self.known.pop(name, None)

    @contextmanager
    def inside(self, *names):
        """For what has names of its own: these mean something else there, and none of its names is known outside."""
        outside, self.known = self.known, dict(self.known)
        self.forget(*names)
        yield
        self.known = outside

    def visit_Import(self, node):
        for one in node.names:
            self.add(one, one.name, one.name)
            first = one.name.partition(".")[0]
            self.known[one.asname or first] = one.name if one.asname else first

    def visit_ImportFrom(self, node):
        for one in node.names:
            self.forget(one.asname or one.name)
            if not node.level:
                name = self.known[one.asname or one.name] = f"{node.module}.{one.name}"
                self.add(one, one.name, name)

    def visit_Name(self, node):
        if not isinstance(node.ctx, ast.Load):
            self.forget(node.id)
        elif node.id in self.known:
            self.add(node, node.id, self.known[node.id])

    def visit_Attribute(self, node):
        first, *others = parts(node) or [None]
        if first in self.known and isinstance(node.ctx, ast.Load):
            self.add(node, ".".join([first, *others]), ".".join([self.known[first], *others]))
        else:
            self.generic_visit(node)

    def visit_Assign(self, node):
        self.visit_each(node.value, node.targets)

    def visit_AugAssign(self, node):
        self.visit_each(node.value, node.target)

    def visit_AnnAssign(self, node):
        self.visit_each(node.annotation, node.value, node.target)

    def visit_NamedExpr(self, node):
        self.visit_each(node.value, node.target)

    def visit_For(self, node):
        self.visit_each(node.iter, node.target, node.body, node.orelse)

    def visit_comprehension(self, node):
        self.visit_each(node.iter, node.target, node.ifs)

    def visit_ListComp(self, node):
        with self.inside():
            self.visit_each(node.generators, *(getattr(node, name, None) for name in ("elt", "key", "value")))

    def visit_FunctionDef(self, node):
        arguments = [one for one in ast.walk(node.args) if isinstance(one, ast.arg)]
        body = node.body if isinstance(node.body, list) else [node.body]
        self.visit_each(getattr(node, "decorator_list", []), node.args, getattr(node, "returns", None))
        self.forget(getattr(node, "name", None))
        with self.inside(*(one.arg for one in arguments), *bound(body)):
            self.visit_each(body)

    def visit_ClassDef(self, node):
        self.visit_each(node.decorator_list, node.bases, node.keywords)
        with self.inside():
            self.visit_each(node.body)
        self.forget(node.name)

    def generic_visit(self, node):
        """Forgets the names that are written as text: those of an error, and those of a pattern."""
        self.forget(*(getattr(node, field, None) for field in ("name", "rest") if not isinstance(node, ast.alias)))
        super().generic_visit(node)

    visit_AsyncFor = visit_For
    visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef
    visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_ListComp


def programs(cells):
    """Yields (code, known) for the code of each cell, with its magics emptied.

    The cells share what they know; so do those that write the same file.
    """
    known = {None: {}}
    for code in cells:
        file = FILE.match(code)
        name = file and file["name"]
        if name not in known or (file and not file["added"]):
            known[name] = {}
        yield MAGIC.sub("", code), known[name]


def tree(code):
    """The syntax tree of code; an empty one if it has mistakes."""
    try:
        return ast.parse(code)
    except SyntaxError:
        return ast.parse("")


def uses(cells):
    """Returns, for the code of each cell in the order of the page, [Use] in the order of the text."""
    found = []
    for code, known in programs(cells):
        reader = Reader(code, known)
        reader.visit(tree(code))
        found.append(sorted(reader.found))
    return found


def imported(cells):
    """The modules that the code of cells imports, or imports from."""
    found = set()
    for code, _known in programs(cells):
        for node in ast.walk(tree(code)):
            if isinstance(node, ast.Import):
                found.update(one.name for one in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add(node.module)
    return found
