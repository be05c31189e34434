"""Releases: copies of the site under their version, which stay as they are while the latest edition goes on.

Each is a folder of `_build/releases`, where the branch `releases` of the repository is checked out. The canonical link
of a page leads to the latest edition, so that a search engine offers only that one.
"""

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import PurePath

from jinja2 import Environment, FileSystemLoader

from ci import _
from ci.book import BookError
from ci.catalogues.sentences import sentences

BRANCH = "releases"  # of the repository; and the folder in `_build`
LATEST = ""  # the version of what is no release
VERSION = re.compile(r"[0-9]+(\.[0-9]+)*")
SLOT = "<!-- releases -->"  # in a page, where its other editions are named
TEMPLATES = Environment(
    loader=FileSystemLoader(PurePath(__file__).parent / "templates"), autoescape=True, trim_blocks=True
)
BROKEN = _(
    "{folder} has no index.html, so it is no release: check the branch {branch} out again, or remove the folder"
)
WORDS = [
    _("Edition: {name}"),
    _("the latest"),
    _("This is release {version} of the book, which stays as it is."),
    _("Read the latest edition"),
]


@dataclass
class Edition:
    """Where a page, or what comes nearest to it, stands in an edition.

    Attributes:
      version: "1.0", or `LATEST`.
      here: whether it is the edition in which the page stands.
      address: relative to the page.
    """

    version: str
    here: bool
    address: str


def folder(book):
    return book.built(BRANCH)


def versions(book):
    """Of the releases that are there, the latest first."""
    names = [path.name for path in folder(book).glob("*/") if path.is_dir() and VERSION.fullmatch(path.name)]
    return sorted(names, key=lambda name: [int(part) for part in name.split(".")], reverse=True)


def editions(site, known, version, page):
    """All editions of a page.

    Args:
      site: the folder of all editions.
      known: their versions.
      version: the one in which the page stands.
      page: its path in there, such as `en/book/index.html`.
    """
    found = []
    for other in known:
        places = (page, PurePath(page.parts[0], "index.html"), PurePath("index.html"))
        target = next(place for place in places if (site / other / place).exists())
        address = os.path.relpath(site / other / target, (site / version / page).parent)
        found.append(Edition(other, other == version, PurePath(address).as_posix()))
    return found


def add(book, site):
    """Puts the releases into a site, and into each page which other editions there are.

    Raises:
      BookError: a release is not complete.
    """
    known = [LATEST, *versions(book)]
    words = {code: sentences(book, code) for code in book.languages}
    for version in known[1:]:
        if not (folder(book) / version / "index.html").is_file():
            raise BookError(BROKEN, folder=book.relative(folder(book) / version), branch=BRANCH)
        shutil.copytree(folder(book) / version, site / version)
    for version in known:
        for code in book.languages:
            for path in (site / version / code).rglob("*.html"):
                page = path.relative_to(site / version)
                text = path.read_text(encoding="utf-8")
                text = text.replace(SLOT, switch(editions(site, known, version, page), words[code]))
                if not (site / page).exists():
                    text = text.replace(canonical(book, page), canonical(book, path.relative_to(site)))
                path.write_text(text, encoding="utf-8")


def canonical(book, page):
    """The link by which a page says which of its copies counts."""
    return f'<link rel="canonical" href="{book.site}/{page.as_posix()}"'


def switch(found, words):
    """HTML that names the editions of a page; "" if there is only one."""
    if len(found) == 1:
        return ""
    known = {sentence: words.gettext(sentence) for sentence in WORDS}
    return TEMPLATES.get_template("releases.html").render(editions=found, words=known)
