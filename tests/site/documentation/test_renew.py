"""The inventories: they are fetched anew, all or none."""

import zlib
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
import yaml

from ci.book import Book, here
from ci.site.documentation import renew

HEAD = b"# Sphinx inventory version 2\n# Project: A\n# Version: 1\n# The rest is compressed using zlib.\n"
LINES = """\
json py:module 0 library/json.html#module-$ -
json.decoder.JSONDecoder py:class 1 library/json.html#$ -
json.loads py:function 1 library/json.html#$ -
os.getcwd py:function 1 library/os.html#$ -
genindex std:label -1 genindex.html Index
"""
IMPORTS = "```{code-cell}\nimport json\nimport json.decoder\n```\n"


def inventory(lines=LINES):
    return HEAD + zlib.compress(lines.encode())


def places(content):
    """The places of the names of an inventory."""
    assert content.startswith(b"# Sphinx inventory version 2\n")
    lines = zlib.decompress(content.split(b"\n", 4)[-1]).decode().splitlines()
    return {line.split()[0]: line.split()[3] for line in lines}


@pytest.fixture
def site(tmp_path):
    """A folder, and the address at which it is served."""
    folder = tmp_path / "site"
    (folder / "a").mkdir(parents=True)
    (folder / "a" / "objects.inv").write_bytes(inventory())
    handler = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_arguments: None})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield folder, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def listing(book, edit):
    """Makes the book list documentations, {name: address}; returns it. It has an old inventory of one."""
    (book.root / "a.inv").write_bytes(b"old")
    edit(book.source("book/part/one"), "# One\n", f"# One\n\n{IMPORTS}")

    def listing(**addresses):
        mapping = {name: [address, f"{name}.inv"] for name, address in addresses.items()}
        book.config["sphinx"]["config"]["intersphinx_mapping"] = mapping
        (book.root / "_config.yml").write_text(yaml.safe_dump(book.config, allow_unicode=True), encoding="utf-8")
        return Book(book.root)

    return listing


def test_what_the_chapters_may_use_is_kept_with_its_other_names(listing, site, capsys):
    _folder, address = site
    book = listing(a=f"{address}/a/")
    renew.renew(book)
    assert places((book.root / "a.inv").read_bytes()) == {
        "json": "library/json.html#module-$",
        "json.JSONDecoder": "library/json.html#json.decoder.JSONDecoder",
        "json.decoder.JSONDecoder": "library/json.html#$",
        "json.loads": "library/json.html#$",
    }
    assert "written: a.inv" in capsys.readouterr().out


@pytest.mark.parametrize(
    "content, message",
    [
        (None, "404"),
        (b"<html></html>", "Error -3"),
        (inventory("os.getcwd py:function 1 library/os.html#$ -\n"), "no chapter imports a module"),
    ],
)
def test_where_an_inventory_cannot_be_used_all_stay(listing, site, content, message):
    folder, address = site
    (folder / "b").mkdir()
    if content:
        (folder / "b" / "objects.inv").write_bytes(content)
    book = listing(a=f"{address}/a", b=f"{address}/b")
    with pytest.raises(SystemExit, match=f"{address}/b/objects.inv: .*{message}.*_config.yml"):
        renew.renew(book)
    assert [path.name for path in book.root.glob("*.inv")] == ["a.inv"]
    assert (book.root / "a.inv").read_bytes() == b"old"


def test_the_inventories_of_the_book_are_those_that_it_lists():
    book = here()
    mapping = book.config["sphinx"]["config"]["intersphinx_mapping"]
    paths = {book.root / path for _address, path in mapping.values()}
    assert paths == {*(book.root / "ci/site/documentation").glob("*.inv")}
    assert all(address.startswith("https://") for address, _path in mapping.values())
    names = {name for path in paths for name in places(path.read_bytes())}
    known = {"jax.numpy.mean", "flax.linen.Dense", "flax.nnx.Linear", "optax.adam", "numpy.mean", "pathlib.Path"}
    assert known <= names
