"""Fetches the inventories anew, and keeps of each what the chapters may use."""

from functools import cache
from http.client import HTTPException
from pkgutil import resolve_name
from types import ModuleType
from urllib.request import urlopen

from ci import _
from ci.book import BookError, files, waiting
from ci.catalogues.sentences import say
from ci.execution.cache import code_cells, read
from ci.site.documentation import addresses, names, pack, parse, path

SECONDS = 30  # until a site that does not answer is given up
INVENTORY = "objects.inv"
NOT_FETCHED = _(
    "{address} could not be fetched: {error}: look at the network, and at book_documentation in _config.yml; the "
    "inventories are as they were"
)
NO_INVENTORY = _(
    "{address} is no inventory of Sphinx: {error}: put the address right in _config.yml, book_documentation; the "
    "inventories are as they were"
)
OF_NO_USE = _(
    "{address} has no name of a module that the chapters import: take it out of _config.yml, book_documentation, or "
    "put its address right; the inventories are as they were"
)


def fetch(address):
    """The bytes at an address.

    Raises:
      BookError: there are none.
    """
    try:
        with urlopen(address, timeout=SECONDS) as answer:
            return answer.read()
    except (OSError, HTTPException, ValueError) as error:
        raise BookError(NOT_FETCHED, address=address, error=error) from error


@cache
def value(name):
    """What a name stands for in the packages that are installed; None if that cannot be said."""
    try:
        return resolve_name(name)
    except Exception:  # whatever a package raises where it cannot be imported
        return None


def with_other_names(entries):
    """Entries, and with them the names under which their packages have the same things without documenting it.

    So `numpy.abs` leads to `numpy.absolute`, and `optax.l2_loss` to `optax.losses.l2_loss`.
    """
    documented = {entry.name: entry for entry in entries}
    things = {id(value(name)): entry for name, entry in sorted(documented.items(), reverse=True)}
    for package in sorted({entry.name.rpartition(".")[0] for entry in entries}):
        if isinstance(value(package), ModuleType):
            for name, thing in vars(value(package)).items():
                if callable(thing) and id(thing) in things:
                    entry = things[id(thing)]
                    name = f"{package}.{name}"
                    documented.setdefault(name, entry._replace(name=name, place=entry.target))
    return sorted(documented.values())


def used(modules, name):
    """Whether a name is that of one of these modules, or in it."""
    return any(f"{name}.".startswith(f"{module}.") for module in modules)


def kept(address, modules):
    """What is kept of an inventory, as bytes.

    Raises:
      BookError: it cannot be fetched, is none, or has nothing of these modules.
    """
    inventory = fetch(address)
    try:
        head, entries = parse(inventory)
    except ValueError as error:
        raise BookError(NO_INVENTORY, address=address, error=error) from error
    entries = [entry for entry in entries if used(modules, entry.name)]
    if not entries:
        raise BookError(OF_NO_USE, address=address)
    return pack(head, with_other_names(entries))


def renew(book):
    """Replaces all inventories, or none.

    Raises:
      BookError: one of them is not to be had.
    """
    cells = [cell.source for name in book.chapters for cell in code_cells(read(book, name))]
    modules, new = names.imported(cells), {}
    with waiting.stage(_("fetching"), len(addresses(book)), _("inventories")) as advance:
        for name, address in addresses(book).items():
            new[path(name)] = kept(f"{address.rstrip('/')}/{INVENTORY}", modules)
            advance()
    files.write_all(new)
    print(*(say(_("written: {path}"), path=book.relative(file)) for file in new), sep="\n")
