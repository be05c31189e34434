"""The articles of built pages, without what works only on the site."""

import posixpath
from pathlib import Path
from urllib.parse import urlsplit

from bs4 import BeautifulSoup, Tag

from ci import _
from ci.book import BookError

PAGE = ".html"
OF_THE_SITE = (
    ".page-tools, .headerlink, .toctree-wrapper, .report, .definition, .only-dark, [role=status], "
    "template, button:not(.term), script, style"
)


def read(folder: Path, name: str) -> BeautifulSoup:
    """Return a built page, parsed, given the folder of its language.

    Raises:
      BookError: the page does not exist.
    """
    path = folder / f"{name}{PAGE}"
    if not path.is_file():
        raise BookError(_("{page} is not in the built book; run ./ci/book.sh first"), page=name)
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def of(page: BeautifulSoup) -> Tag:
    """Return the article of a page; a term is text in it, and no button."""
    article = page.select("article")[0]
    for element in article.select(OF_THE_SITE):
        element.decompose()
    for term in article.select("button.term"):
        term.unwrap()
    return article


def from_root(name: str, path: str) -> str:
    """Return a path that is relative to a page as a path that is relative to the root of the site."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def is_whole(address: str) -> bool:
    """Return whether an address leads to the same place from everywhere."""
    return bool(urlsplit(address).scheme)


def on_the_site(href: str, name: str, site: str) -> str:
    """Return the whole address of a link of a page, given the URL of the language on the site."""
    path, mark, fragment = href.partition("#")
    return (
        href
        if is_whole(href)
        else posixpath.join(site, from_root(name, path) if path else name + PAGE) + mark + fragment
    )
