"""Freezes a release: a copy of the site whose links, and whose notebooks' helper, are those of its version."""

import re
import shutil
from dataclasses import dataclass
from urllib.parse import quote

from ci import _
from ci.book import Book, BookError, UsageError, files, git
from ci.catalogues.sentences import say
from ci.site import publish, releases
from ci.site.build import build
from ci.site.extension.pages.page_tools import links

FROZEN = _(
    "Release {version} is in _build/releases/{version}: commit it to the branch {branch}; "
    "./ci/book.sh puts it into the site"
)
NO_VERSION = _("{version} is no version: use numbers and dots, such as 1.0, without a v")
KNOWN = _("release {version} is in _build/releases already, and a release does not change: take another version")
NO_TAG = _("the commit that is checked out has no tag {tag}, to which the release will lead: `git tag {tag}`")
NOT_AS_TAGGED = _("these files are not as in {tag}; commit them before you tag, or put them back: {files}")
MISSING = _("{file} does not have {text}, which a release has otherwise: bring ci/site/freeze.py up to date")
INSTALLS = "%pip install"  # in a notebook, the helper module


@dataclass(frozen=True)
class Release(Book):
    """The book in a version: as `Book`, but for the addresses of what the repository keeps of it."""

    version: str

    @property
    def tag(self):
        return f"v{self.version}"

    def notebook(self, name, language):
        """Where it stands in the branch of the releases."""
        return self.root / self.version / language / f"{name}.ipynb"

    def in_repository(self, path):
        branch = releases.BRANCH if path.suffix == ".ipynb" else self.tag
        return f"{self.repository}/blob/{branch}/{quote(self.relative(path))}"


def refuse(book, release):
    """Refuses what could not be frozen truthfully.

    Raises:
      UsageError: no version.
      BookError: there is such a release already, or it is not what its tag says.
    """
    version, tag = release.version, release.tag
    if not releases.VERSION.fullmatch(version):
        raise UsageError(NO_VERSION, version=repr(version))
    if (releases.folder(book) / version).exists():
        raise BookError(KNOWN, version=version)
    if tag not in (git.git(book, "tag", "--points-at", "HEAD") or "").split():
        raise BookError(NO_TAG, tag=tag)
    if changed := git.git(book, "status", "--porcelain"):
        raise BookError(NOT_AS_TAGGED, tag=tag, files=", ".join(line[3:] for line in changed.splitlines()))


def freeze(book, version):
    """Builds the book and keeps a copy of it as a release, in `_build/releases`; returns the exit status.

    Raises:
      BookError: as `refuse`, or a page or a notebook is not as this module knows them.
    """
    release = Release(book.root, version)
    refuse(book, release)
    if status := build(book):
        return status
    new = releases.folder(book) / f"{version}.new"
    shutil.rmtree(new, ignore_errors=True)
    publish.assemble(book, new, ["index.html"])
    for code in book.languages:
        addresses = to_release(book, release, code)
        for name in book.pages:
            freeze_page(book, release, new / code / f"{name}.html", addresses, needed(book, name, code))
        for name in book.chapters:
            freeze_notebook(book, release, new / code / f"{name}.ipynb")
    new.rename(releases.folder(book) / version)
    print(say(FROZEN, version=version, branch=releases.BRANCH))
    return 0


def to_release(book, release, code):
    """What is to be replaced in the pages of a language, in this order: {address of the latest: of the release}.

    A page, but for that of the search, names its own place: to what shows a link to it elsewhere, for its languages,
    in the report of a fault. Its canonical link alone goes on to lead to the latest edition.
    """
    latest, frozen = ([link for name in book.pages for link in links(one, name, code)] for one in (book, release))
    addresses = {old: new for (_kind, old, _label), (_kind, new, _label) in zip(latest, frozen, strict=True)}
    site, kept = f"{book.site}/", f"{book.site}/{release.version}/"
    places = {f'"{site}': f'"{kept}', quote(site, safe=""): quote(kept, safe="")}
    return addresses | places | {f"{releases.CANONICAL}{kept}": f"{releases.CANONICAL}{site}"}


def needed(book, name, code):
    """What a page must have, so that none of it is left out unnoticed."""
    addresses = [address for kind, address, _label in links(book, name, code) if kind != "download"]
    return [releases.SLOT, releases.CANONICAL + book.address(name, code), *addresses]


def freeze_page(book, release, path, replacements, needed):
    text = path.read_text(encoding="utf-8")
    for part in needed:
        if part not in text:
            raise BookError(MISSING, file=book.relative(path), text=part)
    for old, new in replacements.items():
        text = text.replace(old, new)
    files.write(path, pinned(book, release, text))


def freeze_notebook(book, release, path):
    text = path.read_text(encoding="utf-8")
    new = pinned(book, release, text)
    if new == text and INSTALLS in text:
        raise BookError(MISSING, file=book.relative(path), text=f"git+{book.repository}")
    files.write(path, new)


def pinned(book, release, text):
    """A text in which what installs the helper module, or clones the repository, takes that of the release."""
    address = rf"{re.escape(book.repository)}(?![\w/@-]|\.\w)"
    text = re.sub(rf"git\+{address}", f"git+{book.repository}@{release.tag}", text)
    return re.sub(rf"git clone {address}", f"git clone --branch {release.tag} {book.repository}", text)
