"""The inventories: read, asked, and fetched anew, all or none."""

import zlib
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
import yaml

from ci.book import Book, BookError, here
from ci.site import documentation
from ci.site.documentation import names, pack, parse, renew

HEAD = f"{documentation.HEAD}# Project: A\n# Version: 1\n# The remainder of this file is compressed using zlib.\n"
LINES = """\
json module 0 library/json.html#module-$ -
json.decoder.JSONDecoder class 1 library/json.html#$ -
json.loads function 1 library/json.html#$ -
os.getcwd function 1 library/os.html#$ -
"""
OTHER = "genindex std:label -1 genindex.html Index\n"
IMPORTS = "```{code-cell}\nimport json\nimport json.decoder\n```\n"


def inventory(lines=LINES):
    text = "".join(line.replace(" ", " py:", 1) + "\n" for line in lines.splitlines())
    return HEAD.encode() + zlib.compress((OTHER + text).encode())


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
def listing(book, monkeypatch):
    """Makes the book list documentations, {name: address}; returns it. One inventory is there from before."""
    monkeypatch.setattr(documentation, "FOLDER", book.root / "inventories")
    (book.root / "inventories").mkdir()
    documentation.path("a").write_bytes(b"old")
    chapter = book.root / "book" / "part" / "one.md"
    chapter.write_text(chapter.read_text(encoding="utf-8") + IMPORTS, encoding="utf-8")

    def listing(**addresses):
        book.config["sphinx"]["config"]["book_documentation"] = addresses
        (book.root / "_config.yml").write_text(yaml.safe_dump(book.config, allow_unicode=True), encoding="utf-8")
        return Book(book.root)

    return listing


def targets(name):
    return {entry.name: entry.target for entry in parse(documentation.path(name).read_bytes())[1]}


def test_what_the_chapters_may_use_is_kept_with_its_other_names(listing, site, capsys):
    _folder, address = site
    renew.renew(listing(a=f"{address}/a/"))
    assert targets("a") == {
        "json": "library/json.html#module-json",
        "json.JSONDecoder": "library/json.html#json.decoder.JSONDecoder",
        "json.decoder.JSONDecoder": "library/json.html#json.decoder.JSONDecoder",
        "json.loads": "library/json.html#json.loads",
    }
    assert parse(documentation.path("a").read_bytes())[0] == HEAD
    assert "inventories/a.inv" in capsys.readouterr().out


BROKEN = {
    "no page": (None, "could not be fetched"),
    "another page": (b"<html></html>", "is no inventory"),
    "half of it": (inventory()[:-20], "is no inventory"),
    "other names": (inventory("os.getcwd function 1 library/os.html#$ -\n"), "has no name of a module"),
}


@pytest.mark.parametrize("content, sentence", BROKEN.values(), ids=BROKEN)
def test_where_one_is_not_to_be_had_all_stay(listing, site, content, sentence):
    folder, address = site
    (folder / "b").mkdir()
    if content:
        (folder / "b" / "objects.inv").write_bytes(content)
    with pytest.raises(BookError) as raised:
        renew.renew(listing(a=f"{address}/a", b=f"{address}/b"))
    said = str(raised.value)
    assert f"{address}/b/objects.inv {sentence}" in said
    assert "_config.yml" in said and "\n" not in said
    assert documentation.path("a").read_bytes() == b"old"
    assert [path.name for path in documentation.FOLDER.iterdir()] == ["a.inv"]


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "http://[", "nothing"])
def test_without_a_network_or_an_address_all_stay(listing, address):
    with pytest.raises(BookError, match="could not be fetched"):
        renew.renew(listing(a=address))
    assert documentation.path("a").read_bytes() == b"old"


@pytest.mark.parametrize(
    "place, target",
    [("a.html#$", "a.html#b.c"), ("x/b.c.html#$", "x/b.c.html"), ("x/a.html#module-$", "x/a.html#module-b.c")],
)
def test_a_page_about_one_name_needs_no_anchor(place, target):
    assert documentation.Entry("b.c", "class", "1", place, "-").target == target


def test_an_inventory_is_the_same_when_it_is_packed_again():
    head, entries = parse(inventory())
    assert parse(pack(head, entries)) == (head, entries)


@pytest.mark.parametrize(
    "content", [b"", b"# Sphinx inventory version 1\n\n\n\n", HEAD.encode(), HEAD.encode() + b"x"]
)
def test_what_is_no_inventory_is_refused(content):
    with pytest.raises(ValueError):
        parse(content)


def find(known, code):
    """What is written and documented in code, and where."""
    found = filter(None, map(known.find, names.uses([code])[0]))
    return [(use.written, address) for use, address in found]


def test_the_longest_part_of_a_name_that_is_documented_is_found(listing):
    documentation.path("a").write_bytes(inventory())
    documentation.path("b").write_bytes(inventory("os.getcwd function 1 other.html#$ -\n"))
    known = documentation.load({"a": "https://a.org/doc/", "b": "https://b.org"})
    page = "https://a.org/doc/library/json.html#"
    code = "import json as j, os, numpy\nj.loads(x)\nj.loads.cache.size\nj.nothing\nos.getcwd()\nnumpy.mean(x)"
    assert find(known, code) == [
        ("json", f"{page}module-json"),
        ("j.loads", f"{page}json.loads"),
        ("j.loads", f"{page}json.loads"),
        ("os.getcwd", "https://a.org/doc/library/os.html#os.getcwd"),
    ]


def test_an_inventory_that_is_missing_is_named_with_what_fetches_it(listing):
    with pytest.raises(BookError, match="b.*inventories"):
        documentation.load({"b": "https://b.org"})


def test_the_book_has_an_inventory_of_all_that_it_lists():
    listed = documentation.addresses(here())
    assert {path.stem for path in documentation.FOLDER.glob("*.inv")} == set(listed)
    assert all(address.startswith("https://") for address in listed.values())
    assert sum(documentation.path(name).stat().st_size for name in listed) < 300_000
    places = documentation.load(listed).places
    for name in ("jax.numpy.mean", "flax.linen.Dense", "flax.nnx.Linear", "optax.adam", "numpy.mean", "pathlib.Path"):
        assert name in places
