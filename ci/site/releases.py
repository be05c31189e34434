"""Releases: copies of the site under their version, which stay as they are while the latest edition goes on.

Each is a folder of `_build/releases`, where the branch `releases` of the repository is checked out. The canonical link
of a page leads to the latest edition, so that a search engine offers only that one.
"""

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path, PurePath

from jinja2 import Environment, FileSystemLoader

from ci import _
from ci.book import BookError, files
from ci.catalogues.sentences import sentences

BRANCH = "releases"  # of the repository; and the folder in `_build`
LATEST = ""  # the version of what is no release
VERSION = re.compile(r"(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))*")
SLOT = "<!-- releases -->"  # in a page, where its other editions are named
CANONICAL = '<link rel="canonical" href="'
TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True)
BROKEN = _("there is no {file}, so this is no release: check the branch {branch} out again, or remove the folder")
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
    names = [path.name for path in folder(book).glob("*/") if VERSION.fullmatch(path.name)]
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


def fill(book, site, known, version, page, gettext):
    """Names the editions of a page in it; where it is in none but releases, its canonical link leads to itself."""
    path = site / version / page
    text = path.read_text(encoding="utf-8")
    if SLOT in text:
        text = text.replace(SLOT, switch(editions(site, known, version, page), gettext))
        if not (site / page).exists():
            place = f"{CANONICAL}{book.site}/"
            text = text.replace(place + page.as_posix(), place + path.relative_to(site).as_posix())
        files.write(path, text)


def switch(found, gettext):
    """HTML that names the editions of a page; "" if there is only one."""
    if len(found) == 1:
        return ""
    words = {sentence: gettext(sentence) for sentence in WORDS}
    return TEMPLATES.get_template("releases.html").render(editions=found, words=words)
