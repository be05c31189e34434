"""Releases: copies of the site that never change, published in subfolders of the site of the latest edition.

Each release is a folder of `_build/releases`, where the branch `releases` of the repository is checked out. The
canonical URL of a page is its URL in the latest edition, so that search engines list only that one.
"""

import os
import re
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

import yaml
from jinja2 import Environment, FileSystemLoader

from ci.book import Book, BookError, UsageError, files
from ci.catalogues.sentences import sentences

CITATION = "CITATION.cff"  # says which version of the book this is; `book/cite.md` says how to cite it
BRANCH = "releases"  # the branch of the repository, and the name of the folder in `_build`
LATEST = ""  # the version of the latest edition
VERSION = re.compile(r"(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))*")
SLOT = "<!-- releases -->"  # a placeholder in each page, replaced by the links to its other editions
TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True)


@dataclass(frozen=True)
class Release(Book):
    """The book as a release: a `Book` whose URLs, on the site and in the repository, are those of the release."""

    version: str  # such as "1.0"

    @property
    def branch(self) -> str:
        """The git ref that links to sources use: the tag of the release."""
        return f"v{self.version}"

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
        text = re.sub(rf"git\+{address}", f"git+{self.repository}@{self.branch}", text)
        return re.sub(rf"git clone {address}", f"git clone --branch {self.branch} {self.repository}", text)


def folder(book: Book) -> Path:
    """Return the folder of the releases."""
    return book.built(BRANCH)


def versions(book: Book) -> list[str]:
    """Return the versions of the existing releases, the latest first."""
    names = [path.name for path in folder(book).glob("*/") if VERSION.fullmatch(path.name)]
    return sorted(names, key=lambda name: [int(part) for part in name.split(".")], reverse=True)


def cited(book: Book) -> dict[str, Any]:
    """Return the content of CITATION.cff; raise BookError if it cannot be read."""
    try:
        return yaml.safe_load((book.root / CITATION).read_text(encoding="utf-8"))
    except (yaml.YAMLError, OSError) as error:
        raise BookError(f"{CITATION}: {error}") from error


def unprepared(book: Book, version: str) -> list[str]:
    """Return what is wrong in the files that name the version of a release; only CITATION.cff must exist."""
    facts, project, changes = cited(book), book.root / "pyproject.toml", book.root / "CHANGELOG.md"
    named = {CITATION: str(facts["version"])}
    if project.exists():
        named[project.name] = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
    found = [f"{name} says version {other}" for name, other in named.items() if other != version]
    heading = f"## {version} - {facts['date-released']}"
    if changes.exists() and heading not in changes.read_text(encoding="utf-8").splitlines():
        found.append(f"CHANGELOG.md has no line `{heading}`")
    return found


def refuse(release: Release) -> None:
    """Raise BookError if a release exists, its version is malformed, or the commit lacks its tag, version or files."""
    version, tag = release.version, release.branch
    if not VERSION.fullmatch(version):
        raise UsageError(f"{version!r} is not a version: use numbers and dots, such as 1.0, without a v")
    if (folder(release) / version).exists():
        raise BookError(f"release {version} is in _build/releases already and cannot change: use another version")
    if reasons := ", ".join(unprepared(release, version)):
        sentence = f"this commit is not release {version}: {reasons}"
        raise BookError(f"{sentence}; correct that, commit it, and tag that commit")
    if tag not in (release.git("tag", "--points-at", "HEAD") or "").split():
        raise BookError(f"the current commit does not have the tag {tag} of the release: `git tag {tag}`")
    if changed := ", ".join(line[3:] for line in (release.git("status", "--porcelain") or "").splitlines()):
        raise BookError(f"these files differ from {tag}; commit them before you tag, or restore them: {changed}")


def add(book: Book, site: Path) -> None:
    """Copy the releases into a site, and replace `SLOT` in each page; raise BookError if a release is not complete.

    If the latest edition does not have a page, its canonical URL becomes that in its own edition.
    """
    known, words = [LATEST, *versions(book)], {code: sentences(book, code) for code in book.languages}
    for version in known[1:]:
        if not (index := folder(book) / version / "index.html").is_file():
            raise BookError(f"there is no {book.relative(index)}: check out the branch {BRANCH} again")
        shutil.copytree(index.parent, site / version)
    for path in site.rglob("*.html"):
        if SLOT not in (text := path.read_text(encoding="utf-8")):
            continue
        first = path.relative_to(site).parts[0]
        version = first if first in known else LATEST
        page = path.relative_to(site / version)
        gettext = words.get(page.parts[0], words[book.source_language]).gettext
        editions = addresses(site, known, page, path.parent)
        links = TEMPLATES.get_template("releases.html").render(here=version, editions=editions, _=gettext)
        text = text.replace(SLOT, links if len(known) > 1 else "")
        if not (site / page).exists():
            canonical = f'<link rel="canonical" href="{book.site}/'
            text = text.replace(canonical + page.as_posix(), canonical + path.relative_to(site).as_posix())
        files.write(path, text)


def addresses(site: Path, known: list[str], page: Path, start: Path) -> dict[str, str]:
    """Return {version: URL relative to `start`} of a page, such as en/book/index.html, or of the front page."""
    found = {}
    for version in known:
        places = (page, Path(page.parts[0], "index.html"), Path("index.html"))
        target = next(site / version / place for place in places if (site / version / place).exists())
        found[version] = PurePath(os.path.relpath(target, start)).as_posix()
    return found
