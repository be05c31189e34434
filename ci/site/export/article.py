"""Read the `<article>` of a built page, without the elements that work only on the site."""

import posixpath
from pathlib import Path
from urllib.parse import urlsplit

from bs4 import BeautifulSoup, Tag

from ci import _
from ci.book import BookError

PAGE = ".html"
OF_THE_SITE = (
    ".page-tools, .search-form, .headerlink, .toctree-wrapper, .report, .definition, .only-dark, [role=status], "
    "template, button:not(.term), script, style"
)


def read(folder: Path, name: str) -> BeautifulSoup:
    """Return the parsed HTML of a built page, given the folder of its language.

    Raises:
      BookError: The page does not exist.
    """
    path = folder / f"{name}{PAGE}"
    if not path.is_file():
        raise BookError(_("{page} is not in the built book; run ./ci/book.sh first"), page=name)
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def of(page: BeautifulSoup) -> Tag:
    """Return the article of a page, which is changed.

    Elements that work only on the site are removed, and buttons of terms are replaced by their text.
    """
    article = page.select("article")[0]
    for element in article.select(OF_THE_SITE):
        element.decompose()
    for term in article.select("button.term"):
        term.unwrap()
    return article


def from_root(name: str, path: str) -> str:
    """Convert a path relative to the page `name` to one relative to the root of the language's folder."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def is_whole(address: str) -> bool:
    """Return whether a URL is absolute."""
    return bool(urlsplit(address).scheme)


def on_the_site(href: str, name: str, site: str) -> str:
    """Return the absolute URL of a link on the page `name`, given the URL of the language on the site."""
    if is_whole(href):
        return href
    path, mark, fragment = href.partition("#")
    return posixpath.join(site, from_root(name, path) if path else name + PAGE) + mark + fragment
