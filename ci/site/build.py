"""Build the book: execute its chapters, render its pages and publish them, or keep them as a release."""

import shutil
import sys

import click

from ci import _
from ci.book import Book, BookError, commands, display, files, here
from ci.catalogues.sentences import say, users_sentences
from ci.execution import run
from ci.notebooks import leftovers
from ci.site import publish, releases
from ci.site.releases import Release

FAILED = _("not executed, so its page has the outputs of its notebook: {error}")


def build(book: Book, keep_going: bool = False) -> int:
    """Build and publish all languages; return the exit status. Raise BookError for a fault of a chapter or page.

    If `keep_going`, a chapter that fails does not raise: its page has the outputs that its notebook stores.
    """
    leftovers.refuse_missing(book)
    cache, errors = run.execute(book, keep_going=keep_going)
    publish.render(book, cache)
    with display.stage(_("publishing")):
        publish.publish(book)
    print(say(_("The book is in _build/html; to read it: ./ci/book.sh serve")))
    for error in errors:
        print(say(FAILED, error=str(error).splitlines()[0]))
    return int(bool(errors))


def freeze(release: Release) -> None:
    """Build the book as a release, whose notebooks install the helper module of its tag, in `_build/releases`.

    Raise BookError as `releases.refuse` and `build`, or if a notebook does not install the module from the repository.
    """
    releases.refuse(release)
    leftovers.refuse_missing(release)
    shutil.rmtree(publish.rendering(release), ignore_errors=True)
    publish.render(release, run.execute(Book(release.root))[0])
    new = releases.folder(release) / f"{release.version}.new"
    shutil.rmtree(new, ignore_errors=True)
    publish.assemble(release, new, ["index.html"])
    for path in new.rglob("*.ipynb"):
        text = path.read_text(encoding="utf-8")
        pinned = release.pinned(text)
        if pinned == text and release.helper:
            where = f"{path.relative_to(new)} does not install git+{release.repository}"
            raise BookError(f"{where}: copy the first cell of another chapter")
        files.write(path, pinned)
    new.rename(new.with_suffix(""))
    print(f"Release {release.version} is in _build/releases, and ./ci/book.sh adds it to the site;")
    print(f"readers get what is committed to the branch {releases.BRANCH}")


@click.command("nox -s freeze --", cls=commands.Command)
@click.argument("version")
@click.option("--check", is_flag=True, help="Only say whether it can be released.")
def main(book: Book, version: str, check: bool) -> None:
    """Freezes the tagged book as a release, with a version such as 1.0, without a v."""
    release = Release(book.root, version)
    if check:
        releases.refuse(release)
        print(f"release {release.version} can be frozen")
    else:
        freeze(release)


if __name__ == "__main__":
    sys.exit(commands.run(main, sys.argv[1:], here(), users_sentences().gettext))
