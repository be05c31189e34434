"""Download the inventories again: `python -m ci.site.documentation.renew`.

A stored inventory has only the names in modules that chapters import. Undocumented aliases of a documented object,
such as `flax.linen.relu` for `flax.linen.activation.relu`, are added.
"""

import re
import sys
import zlib
from http.client import HTTPException
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType
from urllib.request import urlopen

from ci.book import Book, files, here
from ci.execution.cache import code_cells, read
from ci.site.documentation.names import imported_modules

HEAD_LINES = 4  # uncompressed lines at the beginning of an inventory
ENTRY = re.compile(r"(\S+) (py:\w+ -?\d+) (\S+) (.+)")  # name, role and priority, page and anchor, shown name
TIMEOUT = 30  # seconds


def value(name: str) -> object | None:
    """Return the object with a full name in the installed packages, or None if it cannot be imported."""
    try:
        return resolve_name(name)
    except Exception:  # importing a package may raise any exception
        return None


def reduced(inventory: bytes, modules: set[str]) -> bytes:
    """Return an inventory with the names in these modules, and their aliases; raise ValueError if it has none."""
    *head, packed = inventory.split(b"\n", HEAD_LINES)
    matches = filter(None, map(ENTRY.fullmatch, zlib.decompress(packed).decode().splitlines()))
    entries = {match[1]: match.groups() for match in matches}
    kept = {name: one for name, one in entries.items() if any(f"{name}.".startswith(f"{top}.") for top in modules)}
    if not kept:
        raise ValueError("no chapter imports a module that it documents")
    objects = {id(value(name)): entry for name, entry in sorted(kept.items(), reverse=True)}
    for package in sorted({name.rpartition(".")[0] for name in kept}):
        module = value(package)
        for alias, thing in vars(module).items() if isinstance(module, ModuleType) else ():
            if callable(thing) and (entry := objects.get(id(thing))):
                name, role, place, shown = entry
                other = f"{package}.{alias}"  # a "$" at the end of a place stands for the name
                kept.setdefault(other, (other, role, re.sub(r"\$$", name, place), shown))
    lines = "".join(" ".join(kept[name]) + "\n" for name in sorted(kept))
    return b"\n".join([*head, zlib.compress(lines.encode(), 9)])


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
            with urlopen(inventory, timeout=TIMEOUT) as answer:
                new[book.root / path] = reduced(answer.read(), modules)
        except (OSError, HTTPException, ValueError, zlib.error) as error:
            sys.exit(f"{inventory}: {error}: correct intersphinx_mapping in _config.yml; no inventory was changed")
    files.write_all(new)
    print(*(f"written: {book.relative(path)}" for path in new), sep="\n")


if __name__ == "__main__":
    renew(here())
