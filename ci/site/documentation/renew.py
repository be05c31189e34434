"""Download the inventories again: `python -m ci.site.documentation.renew`.

A stored inventory has only the names in modules that chapters import. Undocumented aliases of a documented object,
such as `flax.linen.relu` for `flax.linen.activation.relu`, are added.
"""

import re
import sys
import zlib
from collections.abc import Iterable
from functools import cache
from http.client import HTTPException
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType
from typing import NamedTuple
from urllib.request import urlopen

from ci.book import Book, files, here
from ci.execution.cache import code_cells, read
from ci.site.documentation.names import imported_modules

HEAD_LINES = 4  # uncompressed lines at the beginning of an inventory
ENTRY = re.compile(r"(\S+) (py:\w+) (-?\d+) (\S+) (.+)")
TIMEOUT = 30  # seconds


class Entry(NamedTuple):
    """A Python name in an inventory, with the fields of the inventory's format."""

    name: str
    role: str
    priority: str
    place: str  # the page and the anchor; a "$" at the end stands for the name
    shown: str


def parse(inventory: bytes) -> tuple[bytes, list[Entry]]:
    """Return the uncompressed head and the Python entries of an inventory."""
    *lines, packed = inventory.split(b"\n", HEAD_LINES)
    matches = map(ENTRY.fullmatch, zlib.decompress(packed).decode().splitlines())
    return b"".join(line + b"\n" for line in lines), [Entry(*match.groups()) for match in matches if match]


def pack(head: bytes, entries: Iterable[Entry]) -> bytes:
    """Return the bytes of an inventory with this head and these entries."""
    return head + zlib.compress("".join(" ".join(entry) + "\n" for entry in entries).encode(), 9)


@cache
def value(name: str) -> object | None:
    """Return the object with a full name in the installed packages, or None if it cannot be imported."""
    try:
        return resolve_name(name)
    except Exception:  # importing a package may raise any exception
        return None


def _with_other_names(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries, and an entry for each further name of their callables in the same modules, sorted."""
    documented = {entry.name: entry for entry in entries}
    objects = {id(value(name)): entry for name, entry in sorted(documented.items(), reverse=True)}
    for package in sorted({name.rpartition(".")[0] for name in documented}):
        module = value(package)
        for other, thing in vars(module).items() if isinstance(module, ModuleType) else ():
            if callable(thing) and (entry := objects.get(id(thing))):
                name, place = f"{package}.{other}", re.sub(r"\$$", entry.name, entry.place)
                documented.setdefault(name, entry._replace(name=name, place=place))
    return sorted(documented.values())


def _fetch(address: str, modules: Iterable[str]) -> bytes:
    """Download an inventory and reduce it to the names in these modules; raise ValueError if none is left."""
    with urlopen(address, timeout=TIMEOUT) as answer:
        head, entries = parse(answer.read())
    kept = [entry for entry in entries if any(f"{entry.name}.".startswith(f"{module}.") for module in modules)]
    if not kept:
        raise ValueError("no chapter imports a module that it documents")
    return pack(head, _with_other_names(kept))


def renew(book: Book) -> None:
    """Replace all inventories, or none if one of them cannot be downloaded.

    Raises:
      SystemExit: An inventory cannot be downloaded; the message says which, and why.
    """
    modules = imported_modules(cell.source for name in book.chapters for cell in code_cells(read(book, name)))
    new: dict[Path, bytes] = {}
    for address, path in book.config["sphinx"]["config"]["intersphinx_mapping"].values():
        inventory = f"{address.rstrip('/')}/objects.inv"
        try:
            new[book.root / path] = _fetch(inventory, modules)
        except (OSError, HTTPException, ValueError, zlib.error) as error:
            sys.exit(f"{inventory}: {error}: correct intersphinx_mapping in _config.yml; no inventory was changed")
    files.write_all(new)
    print(*(f"written: {book.relative(path)}" for path in new), sep="\n")


if __name__ == "__main__":
    renew(here())
