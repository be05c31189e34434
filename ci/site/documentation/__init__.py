"""Where the libraries of the book document their names: inventories of Sphinx, kept here, one a documentation.

So no build needs a network. `renew` fetches them; `names` finds the names in code.
"""

import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ci import _
from ci.book import BookError

HEAD = "# Sphinx inventory version 2\n"
LINES = 4  # of the head; the rest is compressed
ENTRY = re.compile(r"(\S+) py:(\w+) (-?\d+) (\S+) (.+)")
FOLDER = Path(__file__).parent
MISSING = _("there is no inventory of {name}, which _config.yml lists: ./ci/book.sh inventories fetches it")


class Entry(NamedTuple):
    """A name of Python in an inventory.

    Attributes:
      name: such as "jax.numpy.mean".
      role: such as "function".
      priority: for Sphinx's own search.
      place: page and anchor, below the address of the documentation; a "$" at its end stands for the name.
      shown: the name as the documentation shows it; "-" if that is the same.
    """

    name: str
    role: str
    priority: str
    place: str
    shown: str

    @property
    def target(self):
        """The place written out; without an anchor where the page is about this name alone."""
        place = self.place[:-1] + self.name if self.place.endswith("$") else self.place
        page, _sign, anchor = place.partition("#")
        return page if page.endswith(f"/{anchor}.html") else place


def parse(inventory):
    """Returns (the head, [Entry]) of the bytes of an inventory; what is not of Python is left out.

    Raises:
      ValueError: it is none.
    """
    *head, packed = inventory.split(b"\n", LINES)
    head = "".join(f"{line.decode()}\n" for line in head)
    if not head.startswith(HEAD) or head.count("\n") != LINES:
        raise ValueError("no Sphinx inventory version 2")
    try:
        text = zlib.decompress(packed).decode()
    except zlib.error as error:
        raise ValueError(str(error)) from error
    return head, [Entry(*found.groups()) for found in map(ENTRY.fullmatch, text.splitlines()) if found]


def pack(head, entries):
    """The bytes of an inventory."""
    text = "".join(f"{one.name} py:{one.role} {one.priority} {one.place} {one.shown}\n" for one in entries)
    return head.encode() + zlib.compress(text.encode(), 9)


def addresses(book):
    """Returns {name: address} of the documentations, as `_config.yml` lists them."""
    return book.config["sphinx"]["config"].get("book_documentation", {})


def path(name):
    """Where the inventory of a documentation is kept."""
    return FOLDER / f"{name}.inv"


@dataclass(frozen=True)
class Documentation:
    """What all the documentations have.

    Attributes:
      places: {name: address}.
      modules: the names that are modules.
    """

    places: dict
    modules: frozenset

    def find(self, use):
        """Returns (`Use`, address) for the longest part of a name in code that is documented; None if there is none.

        That a module is documented says nothing about a name in it.
        """
        part = use
        while part:
            if part.name in self.places and (part is use or part.name not in self.modules):
                return part, self.places[part.name]
            part = part.shorter
        return None


def load(documentations):
    """Reads the inventories of {name: address}; of two that have the same name, the first counts.

    Raises:
      BookError: one of them is not there.
    """
    places, modules = {}, set()
    for name, address in documentations.items():
        if not path(name).exists():
            raise BookError(MISSING, name=name)
        for entry in parse(path(name).read_bytes())[1]:
            places.setdefault(entry.name, address.rstrip("/") + "/" + entry.target)
            if entry.role == "module":
                modules.add(entry.name)
    return Documentation(places, frozenset(modules))
