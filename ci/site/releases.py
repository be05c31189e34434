"""Releases: frozen copies of the site, published in subfolders of the site of the latest edition.

Each release is a folder of `_build/releases`, where the branch `releases` of the repository is checked out. The
canonical URL of a page is its URL in the latest edition, so that search engines list only that one.
"""

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePath
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader

from ci import _
from ci.book import Book, BookError, files
from ci.catalogues.sentences import sentences

BRANCH = "releases"  # the branch of the repository, and the name of the folder in `_build`
LATEST = ""  # the version of the latest edition
VERSION = re.compile(r"(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))*")
SLOT = "<!-- releases -->"  # a placeholder in each page, replaced by the links to its other editions
CANONICAL = '<link rel="canonical" href="'
TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True)
BROKEN = "there is no {file}, so the release is incomplete: check out the branch {branch} again, or remove the folder"
WORDS = [
    _("Edition: {name}"),
    _("the latest"),
    _("This is release {version} of the book, which stays as it is."),
    _("Read the latest edition"),
]

Gettext = Callable[[str], str]


@dataclass(frozen=True)
class Release(Book):
    """The book as a release: a `Book` whose URLs, on the site and in the repository, are those of the release.

    Attributes:
      version: The version, such as "1.0".
    """

    version: str

    @property
    def tag(self) -> str:
        """The git tag of the release."""
        return f"v{self.version}"

    @property
    def branch(self) -> str:
        """The git ref that links to sources use: the tag."""
        return self.tag

    @property
    def site(self) -> str:
        """The URL of the release, without a trailing slash."""
        return f"{super().site}/{self.version}"

    def in_repository(self, path: Path) -> str:
        """Return the URL of a file in the repository: of a notebook on the branch `releases`, of others at the tag."""
        if path.suffix != ".ipynb":
            return super().in_repository(path)
        language, *rest = path.relative_to(self.root / "notebooks").parts
        place = "/".join([BRANCH, self.version, language, "book", *rest])
        return f"{self.repository}/blob/{quote(place)}"

    def pinned(self, text: str) -> str:
        """Return a text with the tag added to its commands that install the helper module or clone the repository."""
        address = rf"{re.escape(self.repository)}(?![\w/@-]|\.\w)"
        text = re.sub(rf"git\+{address}", f"git+{self.repository}@{self.tag}", text)
        return re.sub(rf"git clone {address}", f"git clone --branch {self.tag} {self.repository}", text)


@dataclass
class Edition:
    """A link to another edition of a page.

    Attributes:
      version: "1.0", or `LATEST`.
      here: Whether the page itself belongs to this edition.
      address: The URL, relative to the page. If the edition does not have the page: that of its front page.
    """

    version: str
    here: bool
    address: str


def folder(book: Book) -> Path:
    """Return the folder of the releases."""
    return book.built(BRANCH)


def versions(book: Book) -> list[str]:
    """Return the versions of the existing releases, the latest first."""
    names = [path.name for path in folder(book).glob("*/") if VERSION.fullmatch(path.name)]
    return sorted(names, key=lambda name: [int(part) for part in name.split(".")], reverse=True)


def editions(site: Path, known: list[str], version: str, page: Path) -> list[Edition]:
    """Return the links from a page to all editions.

    Args:
      site: The folder of the site, which has all editions.
      known: The versions of the editions.
      version: The version of the edition to which the page belongs.
      page: The path of the page in its edition, such as `en/book/index.html`.
    """
    links = []
    for other in known:
        places = (page, PurePath(page.parts[0], "index.html"), PurePath("index.html"))
        target = next(place for place in places if (site / other / place).exists())
        address = os.path.relpath(site / other / target, (site / version / page).parent)
        links.append(Edition(other, other == version, PurePath(address).as_posix()))
    return links


def add(book: Book, site: Path) -> None:
    """Copy the releases into a site, and add to each page the links to its other editions.

    Raises:
      BookError: A release is not complete.
    """
    known, latest = [LATEST, *versions(book)], [path for path in site.iterdir() if path.is_dir()]
    words = {code: sentences(book, code) for code in book.languages}
    for version in known[1:]:
        for path in (Path("index.html"), Path(book.source_language, "index.html")):
            if not (folder(book) / version / path).is_file():
                raise BookError(BROKEN, file=book.relative(folder(book) / version / path), branch=BRANCH)
        shutil.copytree(folder(book) / version, site / version)
    for version in known:
        for language in latest if version == LATEST else (site / version).glob("*/"):
            gettext = words.get(language.name, words[book.source_language]).gettext
            for path in language.rglob("*.html"):
                fill(book, site, known, version, path.relative_to(site / version), gettext)


def fill(book: Book, site: Path, known: list[str], version: str, page: Path, gettext: Gettext) -> None:
    """Replace `SLOT` in a page by the links to its other editions.

    If the latest edition does not have the page, its canonical URL becomes that in the given edition.
    """
    path = site / version / page
    text = path.read_text(encoding="utf-8")
    if SLOT in text:
        text = text.replace(SLOT, switch(editions(site, known, version, page), gettext))
        if not (site / page).exists():
            place = f"{CANONICAL}{book.site}/"
            text = text.replace(place + page.as_posix(), place + path.relative_to(site).as_posix())
        files.write(path, text)


def switch(links: list[Edition], gettext: Gettext) -> str:
    """Return the HTML of the links to the editions of a page; "" if there is only one edition."""
    if len(links) == 1:
        return ""
    words = {sentence: gettext(sentence) for sentence in WORDS}
    return TEMPLATES.get_template("releases.html").render(editions=links, words=words)
