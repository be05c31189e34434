"""Freeze a release: a site of its own, whose links, and whose notebooks' helper module, are those of its version."""

import shutil
from pathlib import Path

from ci import _
from ci.book import Book, BookError, UsageError, files, git
from ci.catalogues.sentences import say
from ci.execution import run
from ci.notebooks import leftovers
from ci.site import publish, releases
from ci.site.releases import Release

FROZEN = _(
    "Release {version} is in _build/releases/{version}: commit it to the branch {branch}; "
    "./ci/book.sh puts it into the site"
)
NO_VERSION = _("{version} is no version: use numbers and dots, such as 1.0, without a v")
KNOWN = _("release {version} is in _build/releases already, and a release does not change: take another version")
NO_TAG = _("the commit that is checked out has no tag {tag}, to which the release will lead: `git tag {tag}`")
NOT_AS_TAGGED = _("these files are not as in {tag}; commit them before you tag, or put them back: {files}")
INSTALLS = "%pip install"  # in a notebook, the helper module


def refuse(book: Book, release: Release) -> None:
    """Refuse a release that would not be what its tag says.

    Raises:
      UsageError: The version is none.
      BookError: There is such a release already, or the files are not those of the tag.
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


def freeze(book: Book, version: str) -> None:
    """Execute what has changed, render the book as a release, and keep it in `_build/releases`.

    Raises:
      BookError: As `refuse`, a chapter or a page has a fault, or a notebook installs another helper module.
    """
    release = Release(book.root, version)
    refuse(book, release)
    leftovers.refuse_missing(book)
    publish.render(release, run.execute(book)[0])
    new = releases.folder(book) / f"{version}.new"
    shutil.rmtree(new, ignore_errors=True)
    publish.assemble(release, new, ["index.html"])
    for code in book.languages:
        for name in book.chapters:
            pin_notebook(release, name, code, new)
    new.rename(releases.folder(book) / version)
    shutil.rmtree(publish.rendering(release))
    print(say(FROZEN, version=version, branch=releases.BRANCH))


def pin_notebook(release: Release, name: str, language: str, folder: Path) -> None:
    """Let a notebook of a release install the helper module of the release.

    Raises:
      BookError: It installs something else.
    """
    path = folder / language / f"{name}.ipynb"
    text = path.read_text(encoding="utf-8")
    pinned = release.pinned(text)
    if pinned == text and INSTALLS in text:
        notebook = release.relative(release.notebook(name, language))
        raise BookError(f"{notebook} installs something else than git+{release.repository}: copy another's first cell")
    files.write(path, pinned)
