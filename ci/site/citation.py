"""How to cite the book, a page of it and its sources: the facts of CITATION.cff, as a line of text and as BibTeX."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import yaml

from ci import _
from ci.book import Book, BookError
from ci.site import releases
from ci.site.releases import Release

FILE = "CITATION.cff"
OF_BOOK = _("{authors}: {title}. Edition {version}, {date}. {address}")
OF_PAGE = _("{authors}: {title}. In: {book}. Edition {version}, {date}. {address}")
OF_SOURCE = "{authors}: {title}. {publisher}, {date}. {address}"  # as it is in all languages: the source is in English
EDITION = _("Edition {version}, {date}")
SPECIAL = re.compile(r"([#$%&_])")  # characters of TeX


@dataclass(frozen=True)
class Work:
    """Something that can be cited.

    Attributes:
      kind: The type of its BibTeX entry.
      key: The key of its BibTeX entry.
      authors: Its authors: (family name, given names), or the name of a group and "".
      title: Its title.
      date: Its date, or only the year.
      address: Its URL.
      version: The edition, of the book and its pages.
      book: The title of the book, of a page.
      publisher: The publisher, of a source.
    """

    kind: str
    key: str
    authors: tuple[tuple[str, str], ...]
    title: str
    date: str
    address: str
    version: str = ""
    book: str = ""
    publisher: str = ""


def load(book: Book) -> dict[str, Any]:
    """Return the content of CITATION.cff.

    Raises:
      BookError: It cannot be read.
    """
    try:
        return yaml.safe_load((book.root / FILE).read_text(encoding="utf-8"))
    except (yaml.YAMLError, OSError) as error:
        raise BookError(f"{FILE}: {error}") from error


def version(book: Book) -> str:
    """Return the version that CITATION.cff names; "" if the book has no such file."""
    return str(load(book)["version"]) if (book.root / FILE).exists() else ""


def edition(book: Book, version: str) -> str:
    """Return the URL of the edition with a version: of the latest one if that version has not been released."""
    if isinstance(book, Release) or version not in releases.versions(book):
        return book.site
    return Release(book.root, version).site


def authors(facts: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the authors of the book or of one of its references."""
    return tuple((one.get("family-names") or one["name"], one.get("given-names", "")) for one in facts["authors"])


def of_book(book: Book, facts: dict[str, Any], language: str, title: str) -> Work:
    """Return the book in a language, with its title in that language."""
    version, date = str(facts["version"]), str(facts["date-released"])
    address, key = f"{edition(book, version)}/{language}/", book.name
    return Work("misc", key, authors(facts), title, date, address, version)


def of_page(whole: Work, page: str, title: str) -> Work:
    """Return a page of the book, given the book in the language of the page."""
    key, address = f"{whole.key}:{page.rpartition('/')[2]}", f"{whole.address}{page}.html"
    return Work("incollection", key, whole.authors, title, whole.date, address, whole.version, whole.title)


def of_source(facts: dict[str, Any]) -> Work:
    """Return one of the references, which have a DOI."""
    names, year, address = authors(facts), str(facts["year"]), f"https://doi.org/{facts['doi']}"
    key = f"{names[0][0].lower()}{year}"
    return Work("misc", key, names, facts["title"], year, address, publisher=facts["publisher"]["name"])


def line(work: Work, gettext: Callable[[str], str]) -> str:
    """Return the citation of a work as text."""
    names = ", ".join(f"{given} {family}".strip() for family, given in work.authors)
    sentence = OF_PAGE if work.book else OF_BOOK if work.version else OF_SOURCE
    return gettext(sentence).format(**vars(work) | {"authors": names})


def bibtex(work: Work, gettext: Callable[[str], str]) -> str:
    """Return the BibTeX entry of a work."""
    names = " and ".join(f"{family}, {given}" if given else f"{{{family}}}" for family, given in work.authors)
    texts = {
        "author": names,
        "title": f"{{{work.title}}}",  # twice in braces: styles leave its capitals
        "booktitle": work.book and f"{{{work.book}}}",
        "year": work.date.partition("-")[0],
        "note": gettext(EDITION).format(**vars(work)) if work.version else "",
        "howpublished": work.publisher,
    }
    fields = {name: SPECIAL.sub(r"\\\1", text) for name, text in texts.items() if text} | {"url": work.address}
    lines = [f"  {name} = {{{text}}}," for name, text in fields.items()]
    return "\n".join([f"@{work.kind}{{{work.key},", *lines, "}"])
