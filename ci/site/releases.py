"""Add the releases to the site: copies under their version, which do not change while the latest edition does.

Each is a folder of `_build/releases`, where the branch `releases` of the repository is checked out. The canonical URL
of a page is that of the latest edition, so that search engines show only this one.
"""

import os
import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from jinja2 import Environment, FileSystemLoader

from ci import _
from ci.book import Book, BookError, files
from ci.catalogues.fault import Gettext
from ci.catalogues.sentences import sentences

BRANCH = "releases"  # of the repository; also the name of the folder in `_build`
LATEST = ""  # the version of the latest edition
VERSION = re.compile(r"(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))*")
SLOT = "<!-- releases -->"  # the place in a page for the list of editions
CANONICAL = '<link rel="canonical" href="'
TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True)
WORDS = [
    _("Edition: {name}"),
    _("the latest"),
    _("This is release {version} of the book, which stays as it is."),
    _("Read the latest edition"),
]


@dataclass(frozen=True)
class Place:
    """A page in an edition.

    Attributes:
      site: The folder of the site, which has the latest edition, and the releases in folders.
      version: Such as "1.0", or `LATEST`.
      page: The path in the edition, such as `en/book/index.html`.
    """

    site: Path
    version: str
    page: PurePath

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self.site / self.version / self.page


@dataclass(frozen=True)
class Edition:
    """A link from a page to the same page in an edition, or to the front page if the edition does not have the page.

    Attributes:
      version: Such as "1.0", or `LATEST`.
      here: Whether the page belongs to this edition.
      address: The URL, relative to the page.
    """

    version: str
    here: bool
    address: str


def folder(book: Book) -> Path:
    """Return the folder of the releases."""
    return book.built(BRANCH)


def versions(book: Book) -> list[str]:
    """Return the versions of the releases, newest first."""
    names = [path.name for path in folder(book).glob("*/") if VERSION.fullmatch(path.name)]
    return sorted(names, key=lambda name: [int(part) for part in name.split(".")], reverse=True)


def editions(place: Place, known: Iterable[str]) -> list[Edition]:
    """Return the links from a page to the editions of known versions."""
    pages = (place.page, PurePath(place.page.parts[0], "index.html"), PurePath("index.html"))
    links = []
    for version in known:
        target = next(path for page in pages if (path := place.site / version / page).exists())
        address = PurePath(os.path.relpath(target, place.path.parent)).as_posix()
        links.append(Edition(version, version == place.version, address))
    return links


def copy_releases(book: Book, site: Path) -> None:
    """Copy the releases into a site.

    Raises:
      BookError: A release is not complete.
    """
    for version in versions(book):
        release = folder(book) / version
        for path in (release / "index.html", release / book.source_language / "index.html"):
            if not path.is_file():
                raise BookError(
                    f"there is no {book.relative(path)}, so the release is incomplete: check out the branch {BRANCH} "
                    "again, or remove the folder"
                )
        shutil.copytree(release, site / version)


def add(book: Book, site: Path) -> None:
    """Copy the releases into a site, and list the editions in each page.

    Raises:
      BookError: A release is not complete.
    """
    copy_releases(book, site)
    known = [LATEST, *versions(book)]
    words = {code: sentences(book, code) for code in book.languages}
    for version in known:
        for language in (site / version).glob("*/"):
            if language.name in known:
                continue
            gettext = words.get(language.name, words[book.source_language]).gettext
            for path in language.rglob("*.html"):
                list_editions(book, Place(site, version, path.relative_to(site / version)), known, gettext)


def list_editions(book: Book, place: Place, known: Iterable[str], gettext: Gettext) -> None:
    """Write the list of editions into a page; a page that only releases have becomes its own canonical page."""
    text = place.path.read_text(encoding="utf-8")
    if SLOT not in text:
        return
    text = text.replace(SLOT, list_html(editions(place, known), gettext))
    if not (place.site / place.page).exists():
        url = f"{CANONICAL}{book.site}/"
        text = text.replace(url + place.page.as_posix(), url + place.path.relative_to(place.site).as_posix())
    files.write(place.path, text)


def list_html(links: Sequence[Edition], gettext: Gettext) -> str:
    """Return the list of editions as HTML, or "" if there is only one."""
    if len(links) == 1:
        return ""
    words = {sentence: gettext(sentence) for sentence in WORDS}
    return TEMPLATES.get_template("releases.html").render(editions=links, words=words)
