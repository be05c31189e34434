import itertools
from functools import partial
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup

from ci.book import COLAB, KAGGLE, BookError, here
from ci.execution.cache import Cache, cache_path, executed, read
from ci.site.extension.application import Chapters
from ci.site.extension.pages import page_tools

BOOK = here()


def opened(book):
    return Chapters(book, partial(read, book), Cache(book, cache_path(book)).fetch)


def test_every_link_leads_to_a_file_of_the_repository():
    start = f"{BOOK.repository}/blob/{BOOK.branch}/"
    for name, language in itertools.product(BOOK.pages, BOOK.languages):
        here = {"download": BOOK.notebook(name, language).name, "markdown": BOOK.source(name).name}
        for kind, address, _label in page_tools.links(BOOK, name, language):
            if kind in here:
                assert address == here[kind]
                continue
            address = unquote(address.removeprefix(KAGGLE)).replace(COLAB, "https://github.com")
            assert address.startswith(start)
            assert (BOOK.root / address.removeprefix(start)).is_file()


def test_a_chapter_opens_in_colab_and_kaggle_in_its_language(book):
    kinds = dict(link[:2] for link in page_tools.links(book, "book/part/one", "ko"))
    assert kinds["colab"] == (
        "https://colab.research.google.com/github/example/small/blob/main/notebooks/ko/part/one.ipynb"
    )
    assert kinds["kaggle"] == (
        "https://www.kaggle.com/kernels/welcome?src="
        "https%3A%2F%2Fgithub.com%2Fexample%2Fsmall%2Fblob%2Fmain%2Fnotebooks%2Fko%2Fpart%2Fone.ipynb"
    )


def test_a_page_without_code_or_catalogue_links_to_none(book):
    assert [link[0] for link in page_tools.links(book, "book/index", "en")] == ["markdown", "source"]
    assert [link[0] for link in page_tools.links(book, "book/index", "ko")] == ["markdown", "source"]


def test_a_chapter_says_how_long_it_takes_and_with_what_and_where_its_outputs_were_made(book, execute):
    assert page_tools.duration(opened(book), "book/part/one", str) == "About 1 min to read"
    assert page_tools.made(opened(book), "book/part/one", str) == ""
    execute()
    assert page_tools.duration(opened(book), "book/part/one", str) == "About 1 min to read, 1 min to run"
    environment = executed(book).fetch("book/part/one").data["environment"]
    said = page_tools.made(opened(book), "book/part/one", str)
    for name in ("date", "jax", "flax", "optax", "Python", "processor"):
        assert environment[name] in said


def test_a_package_that_is_not_installed_is_named(book, execute):
    book.config["packages"] = {"no-such-package": "None"}
    with pytest.raises(BookError, match="^_config.yml: no-such-package under `packages` is not installed"):
        execute()


def test_a_page_of_a_release_has_its_own_addresses_and_the_canonical_one_of_the_latest_edition(book, conf, build):
    conf("page_tools", "additions", "elements", exclude_patterns=["_build", "notebooks"])
    text = "# One\n\n## Part\n\n```bash\npip install git+https://github.com/example/small\n"
    text += "git clone https://github.com/example/small\n```\n"
    pages = {"book/part/one": text, "book/index": "# Front\n", "index": "# Index\n"}
    _, output = build(pages, book_release="1.0", html_theme="basic")
    page = BeautifulSoup((output / "book" / "part" / "one.html").read_text(), "html.parser")
    assert page.find("link", rel="canonical")["href"] == "https://example.github.io/small/en/book/part/one.html"
    assert page.pre.text.splitlines() == [
        "pip install git+https://github.com/example/small@v1.0",
        "git clone --branch v1.0 https://github.com/example/small",
    ]
    assert "small%2F1.0%2Fen%2Fbook%2Fpart%2Fone.html" in page.select_one(".report a")["href"]
