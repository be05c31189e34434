"""Freeze a release: keep a copy of the site with the URLs and the helper module of its version.

The copy is made from the built site by replacing text. The commands that install the helper module cannot be replaced
earlier: catalogues find a translation by its English text.
"""

import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from ci.book import Book, BookError, UsageError, files, git
from ci.site import publish, releases
from ci.site.build import build
from ci.site.extension.pages.page_tools import links

INSTALLS = "%pip install"  # in a notebook: the line that installs the helper module


@dataclass(frozen=True)
class Release(Book):
    """The book in a version, with the URLs at which the site and the repository have this version."""

    version: str

    @property
    def tag(self) -> str:
        """The tag of the commit."""
        return f"v{self.version}"

    @property
    def site(self) -> str:
        """The URL of the published release, without a trailing slash."""
        return f"{super().site}/{self.version}"

    def notebook(self, name: str, language: str) -> Path:
        """Return the path of a notebook in the branch of the releases."""
        return self.root / self.version / language / f"{name}.ipynb"

    def in_repository(self, path: Path) -> str:
        """Return the URL at which the repository shows a file of the release."""
        branch = releases.BRANCH if path.suffix == ".ipynb" else self.tag
        return f"{self.repository}/blob/{branch}/{quote(self.relative(path))}"


def check(book: Book, release: Release) -> None:
    """Check that a release can be made of the files of its tag.

    Raises:
      UsageError: The version is malformed.
      BookError: The release exists, its tag is not on the current commit, or files have changed since.
    """
    version, tag = release.version, release.tag
    if not releases.VERSION.fullmatch(version):
        raise UsageError(f"{version!r} is no version: use numbers and dots, such as 1.0, without a v")
    if (releases.folder(book) / version).exists():
        raise BookError(f"release {version} is in _build/releases already and cannot change: use another version")
    if tag not in (git.git(book, "tag", "--points-at", "HEAD") or "").split():
        raise BookError(f"the current commit does not have the tag {tag} of the release: `git tag {tag}`")
    if changed := git.git(book, "status", "--porcelain"):
        names = ", ".join(line[3:] for line in changed.splitlines())
        raise BookError(f"these files differ from {tag}; commit them before you tag, or restore them: {names}")


def freeze(book: Book, version: str) -> int:
    """Build the book and copy it to `_build/releases` as a release; return the exit status.

    Raises:
      BookError: As for `check`; or a page or a notebook lacks what is to be replaced.
    """
    release = Release(book.root, version)
    check(book, release)
    if status := build(book):
        return status
    new = releases.folder(book) / f"{version}.new"
    shutil.rmtree(new, ignore_errors=True)
    publish.assemble(book, new, ["index.html"])
    for code in book.languages:
        new_texts = replacements(book, release, code)
        for name in book.pages:
            freeze_page(release, new / code / f"{name}.html", new_texts, required(book, name, code))
        for name in book.chapters:
            freeze_notebook(release, new / code / f"{name}.ipynb")
    new.rename(releases.folder(book) / version)
    print(
        f"Release {version} is in _build/releases/{version}: commit it to the branch {releases.BRANCH}; "
        "./ci/book.sh then adds it to the site"
    )
    return 0


def replacements(book: Book, release: Release, language: str) -> dict[str, str]:
    """Return {text: its replacement in the release} for the pages of a language, in the order of replacing.

    Canonical URLs stay those of the latest edition, so their change as URLs of the site is reversed.
    """
    addresses = {
        old: new
        for name in book.pages
        for (_, old, _), (_, new, _) in zip(links(book, name, language), links(release, name, language), strict=True)
    }
    latest, frozen = f"{book.site}/", f"{release.site}/"
    return addresses | {
        f'"{latest}': f'"{frozen}',
        quote(latest, safe=""): quote(frozen, safe=""),
        f"{releases.CANONICAL}{frozen}": f"{releases.CANONICAL}{latest}",
    }


def required(book: Book, name: str, language: str) -> list[str]:
    """Return what a page must contain: without it, something would silently not be replaced."""
    addresses = [address for kind, address, _label in links(book, name, language) if kind != "download"]
    return [releases.SLOT, releases.CANONICAL + book.address(name, language), *addresses]


def missing(book: Book, path: Path, text: str) -> BookError:
    """Return the error that a file does not have a text."""
    return BookError(f"{book.relative(path)} does not have {text}, which a release replaces: update ci/site/freeze.py")


def freeze_page(release: Release, path: Path, new_texts: Mapping[str, str], required: Iterable[str]) -> None:
    """Replace texts in a page.

    Raises:
      BookError: The page lacks a required text.
    """
    content = path.read_text(encoding="utf-8")
    for text in required:
        if text not in content:
            raise missing(release, path, text)
    for old, new in new_texts.items():
        content = content.replace(old, new)
    files.write(path, pin(release, content))


def freeze_notebook(release: Release, path: Path) -> None:
    """Let a notebook install the helper module of a release.

    Raises:
      BookError: The notebook installs something, but not the helper module from the repository.
    """
    content = path.read_text(encoding="utf-8")
    pinned = pin(release, content)
    if pinned == content and INSTALLS in content:
        raise missing(release, path, f"git+{release.repository}")
    files.write(path, pinned)


def pin(release: Release, text: str) -> str:
    """Return a text in which pip and git get the repository at the tag of a release."""
    url = rf"{re.escape(release.repository)}(?![\w/@-]|\.\w)"
    text = re.sub(rf"git\+{url}", f"git+{release.repository}@{release.tag}", text)
    return re.sub(rf"git clone {url}", f"git clone --branch {release.tag} {release.repository}", text)
