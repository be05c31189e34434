"""Freezes a release: a copy of the site whose links, and whose notebooks' helper, are those of its version."""

import shutil
from dataclasses import dataclass
from urllib.parse import quote

from ci import _
from ci.book import Book, BookError, UsageError, git
from ci.catalogues.sentences import say
from ci.site import publish, releases
from ci.site.build import build
from ci.site.extension.page_tools import links

FROZEN = _(
    "Release {version} is in _build/releases/{version}: commit it to the branch {branch}; "
    "./ci/book.sh puts it into the site"
)
NO_VERSION = _("{version} is no version: use numbers and dots, such as 1.0, without a v")
KNOWN = _("release {version} is in _build/releases already, and a release does not change: take another version")
NO_TAG = _("the commit that is checked out has no tag {tag}, to which the release will lead: `git tag {tag}`")
NOT_AS_TAGGED = _("these files are not as in {tag}; commit them before you tag, or put them back: {files}")


@dataclass(frozen=True)
class Release(Book):
    """The book as it is in a version: its sources have a tag, its notebooks are frozen with its pages."""

    version: str

    @property
    def tag(self):
        return f"v{self.version}"

    def notebook(self, name, language):
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
    """Builds the book and keeps a copy of it as a release, in `_build/releases`; returns the exit status."""
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
            rewrite(new / code / f"{name}.html", addresses)
        for name in book.chapters:
            rewrite(new / code / f"{name}.ipynb", {f"git+{book.repository}": f"git+{book.repository}@{release.tag}"})
    new.rename(releases.folder(book) / version)
    print(say(FROZEN, version=version, branch=releases.BRANCH))
    return 0


def to_release(book, release, code):
    """What is to be replaced in the pages of a language: {address of the latest edition: that of the release}."""
    latest, frozen = ([link for name in book.pages for link in links(one, name, code)] for one in (book, release))
    addresses = {old: new for (_kind, old, _label), (_kind, new, _label) in zip(latest, frozen, strict=True)}
    place, kept = (quote(f"{site}/{code}/", safe="") for site in (book.site, f"{book.site}/{release.version}"))
    return addresses | {place: kept}  # the place is that of a fault that a reader reports


def rewrite(path, replacements):
    text = path.read_text(encoding="utf-8")
    for old, new in replacements.items():
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
