"""Names in code lead to their documentation, in a small book that Sphinx really renders."""

import zlib

import pytest
from bs4 import BeautifulSoup

IMPORTS = "```{code-cell}\nimport jax.numpy as jnp\n```\n"
USE = "```{code-cell}\njnp.mean(x) + jnp.mean(y)\njnp.mean.cache + jnp.nothing\n```\n"
HEAD = b"# Sphinx inventory version 2\n# Project: A\n# Version: 1\n# zlib\n"
NAMES = {"jax.numpy.mean": "py:function 1 page.html#$ -", "jax": "py:module 0 jax.html -"}
NAMES["jax.numpy"] = "py:module 0 numpy.html -"


def inventory(names):
    return HEAD + zlib.compress("".join(f"{name} {entry}\n" for name, entry in names.items()).encode())


@pytest.fixture
def small(book, conf, build):
    """Builds a page, with two documentations; returns what a builder writes of it."""
    (book.root / "jax.inv").write_bytes(inventory(NAMES))
    (book.root / "other.inv").write_bytes(inventory(dict.fromkeys(NAMES, "py:module 0 other.html -")))
    mapping = {"z": ("https://docs.org/", "jax.inv"), "a": ("https://other.org/", "other.inv")}
    conf("highlighting", "side_by_side", "api_links", intersphinx_mapping=mapping)

    def small(text, builder="html"):
        _app, out = build({"index": text}, builder)
        return "".join(path.read_text(encoding="utf-8") for path in out.glob("index.*html"))

    return small


def test_a_documented_name_leads_to_its_documentation_where_it_is_used_first(small):
    page = BeautifulSoup(small(f"# A\n\n{IMPORTS}\n{USE}\n{USE}\n## B\n\n{USE}\n"), "html.parser")
    links = page.select(".highlight a")
    assert [(link.get_text(), link["href"]) for link in links] == [
        ("jax.numpy", "https://docs.org/numpy.html"),
        ("jnp.mean", "https://docs.org/page.html#jax.numpy.mean"),
    ]
    assert all(set(link.attrs) == {"href"} for link in links)
    assert page.select(".cell_input pre")[1].get_text() == USE.partition("\n")[2].removesuffix("```\n")


def test_a_link_stands_in_a_column_too(small):
    columns = (
        USE.replace("\njnp", "\n:tags: [without]\n\njnp", 1) + "\n" + USE.replace("\njnp", "\n:tags: [with]\n\njnp", 1)
    )
    page = BeautifulSoup(small(f"# A\n\n{IMPORTS}\n{columns}"), "html.parser")
    assert [link.get_text() for link in page.select(".side-by-side a")] == ["jnp.mean"]


@pytest.mark.parametrize("builder", ["epub", "dirhtml"])
def test_only_the_site_has_links(small, builder):
    assert "https://docs.org" not in small(f"# A\n\n{IMPORTS}\n{USE}\n", builder)
