"""Freeze a release: write a site whose links lead to that release, and whose notebooks install its helper module."""

import shutil
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from ci.book import Book, BookError, UsageError, commands, files, here, lock
from ci.catalogues.sentences import users_sentences
from ci.execution import run
from ci.notebooks import leftovers
from ci.site import citation, publish, releases
from ci.site.releases import Release

FROZEN = (
    "Release {version} is in _build/releases/{version}, and ./ci/book.sh adds it to the site; "
    "readers get what is committed to the branch {branch}"
)
READY = "release {version} can be frozen"
NO_VERSION = "{version} is not a version: use numbers and dots, such as 1.0, without a v"
KNOWN = "release {version} is in _build/releases already and cannot change: use another version"
NOT_PREPARED = "this commit is not release {version}: {reasons}; correct that, commit it, and tag that commit"
NO_TAG = "the current commit does not have the tag {tag} of the release: `git tag {tag}`"
NOT_AS_TAGGED = "these files differ from {tag}; commit them before you tag, or restore them: {files}"


def unprepared(book: Book, version: str) -> list[str]:
    """Return what is wrong in the files that name the version of a release, and the changelog also its date.

    Of these files, only CITATION.cff must exist.
    """
    cited, project, changes = citation.load(book), book.root / "pyproject.toml", book.root / "CHANGELOG.md"
    named = {citation.FILE: str(cited["version"])}
    if project.exists():
        named[project.name] = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
    found = [f"{name} says version {other}" for name, other in named.items() if other != version]
    heading = f"## {version} - {cited['date-released']}"
    if changes.exists() and heading not in changes.read_text(encoding="utf-8").splitlines():
        found.append(f"CHANGELOG.md has no line `{heading}`")
    return found


def refuse(release: Release) -> None:
    """Refuse a version that cannot be released.

    Raises:
      UsageError: The version is malformed.
      BookError: The release exists already, or a file names another version, or the current commit does not have the
        tag of the release, or a file differs from it.
    """
    version, tag = release.version, release.tag
    if not releases.VERSION.fullmatch(version):
        raise UsageError(NO_VERSION, version=repr(version))
    if (releases.folder(release) / version).exists():
        raise BookError(KNOWN, version=version)
    if reasons := unprepared(release, version):
        raise BookError(NOT_PREPARED, version=version, reasons=", ".join(reasons))
    if tag not in (release.git("tag", "--points-at", "HEAD") or "").split():
        raise BookError(NO_TAG, tag=tag)
    if changed := release.git("status", "--porcelain"):
        raise BookError(NOT_AS_TAGGED, tag=tag, files=", ".join(line[3:] for line in changed.splitlines()))


def check(book: Book, version: str) -> None:
    """Say that a version can be released; raise as `refuse` if not."""
    refuse(Release(book.root, version))
    print(READY.format(version=version))


def freeze(book: Book, version: str) -> None:
    """Execute what has changed, render the book as a release, and store it in `_build/releases`.

    Raises:
      BookError: As `refuse`; or a chapter or a page has a fault; or a notebook does not install the helper module from
        the repository.
    """
    release = Release(book.root, version)
    refuse(release)
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
    print(FROZEN.format(version=version, branch=releases.BRANCH))


def pin_notebook(release: Release, name: str, language: str, folder: Path) -> None:
    """Rewrite a notebook in the folder of a release so that it installs the helper module at the tag of the release.

    Raises:
      BookError: The notebook does not install the helper module from the repository.
    """
    path = folder / language / f"{name}.ipynb"
    text = path.read_text(encoding="utf-8")
    pinned = release.pinned(text)
    if pinned == text and release.helper:
        notebook = release.relative(release.notebook(name, language))
        raise BookError(
            f"{notebook} does not install git+{release.repository}: copy the first cell of another chapter"
        )
    files.write(path, pinned)


def main(words: Sequence[str]) -> None:
    """Freeze a release, or with `--check` only say whether it can be."""
    parser = commands.Parser(prog="nox -s freeze --", description="Freezes the tagged book as a release.")
    parser.add_argument("version", help="such as 1.0, without a v")
    parser.add_argument("--check", action="store_true", help="only say whether it can be released")
    book, arguments = here(), parser.parse_args(words)
    with lock.held(book.built()):
        (check if arguments.check else freeze)(book, arguments.version)


if __name__ == "__main__":
    sys.exit(commands.guarded(lambda: main(sys.argv[1:]), users_sentences().gettext))
