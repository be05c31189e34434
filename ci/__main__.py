"""The commands: `./ci/book.sh [COMMAND]` runs `python -m ci [COMMAND]` in the virtual environment of the book.

Each command is a function of the book and of its words, with its help as docstring; it returns the exit status, or
None for 0. It imports the modules that it needs in its body, so that `--help` is quick.
"""

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from ci import _
from ci.book import Book, commands, display, here
from ci.book.commands import path
from ci.catalogues.sentences import users_sentences

FORMAT = "github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text"
WRITTEN = _("written: {path}")

port_type = click.IntRange(1, 65535)
languages_argument = click.argument("languages", nargs=-1, metavar="[LANGUAGE]...")
language_argument = click.argument("language")


@click.group("./ci/book.sh", cls=commands.Group)
def cli() -> None:
    """Builds the book, checks it, serves it; ./ci/test.sh checks it all."""


@cli.command()
@click.option("--keep-going", is_flag=True, help="Where a chapter fails, show the outputs of its notebook.")
def build(book: Book, keep_going: bool) -> int:
    """Build the book in all languages: _build/html; the default."""
    from ci.site.build import build

    return build(book, keep_going)


@cli.command()
@click.argument("port", type=port_type, default=8000)
def serve(book: Book, port: int) -> None:
    """Serve the built book on this machine."""
    from ci.site import browser, publish

    browser.serve_here(publish.readable(book), port)


@cli.command()
@click.option("--check", is_flag=True, help="Only say what would be written, and fail if anything would.")
@click.option("--take", multiple=True, type=path, metavar="FILE", help="The one that counts of two edits.")
def refresh(book: Book, check: bool, take: Iterable[Path]) -> None:
    """Bring chapters and notebooks together, execute what has changed, write outputs and translations."""
    from ci.notebooks import refresh

    if check:
        refresh.check(book)
    else:
        refresh.refresh(book, take)


@cli.command()
@click.argument("files", nargs=-1, metavar="[PAGE]...")
@click.option("--format", "form", type=click.Choice(("text", "github")), default=FORMAT)
@click.option("--advise", is_flag=True, help="End with exit status 0 also if there are faults.")
def check(book: Book, files: Sequence[str], form: str, advise: bool) -> int:
    """Say what is wrong with the catalogues, with file and line."""
    from ci.catalogues import check, messages

    messages.extract(book)
    named = [file for name in files for file in check.find(book, name, path(name))]
    found = check.check(book, messages.folder(book), named)
    print(*check.FORMATS[form](found, users_sentences().gettext), sep="\n")
    return int(bool(found.problems) and not advise)


@cli.command()
@languages_argument
def update(book: Book, languages: Sequence[str]) -> None:
    """Bring catalogues and translated notebooks up to date with the English."""
    from ci.notebooks.refresh import update_translations

    known = [code for code in book.languages if book.domains_in(code)]
    update_translations(book, [book.find_language(code, known) for code in languages] or known)


@cli.command()
def status(book: Book) -> None:
    """Say how far each page is in each language."""
    from ci.catalogues import translation_progress

    translation_progress.show(book)


@cli.command()
@language_argument
@click.argument("chapter", required=False)
@click.option("--port", type=port_type, default=8000)
def preview(book: Book, language: str, chapter: str | None, port: int) -> None:
    """Show the book while a catalogue is edited."""
    from ci.site import preview

    preview.serve(book, book.find_language(language, book.translations), chapter and book.find_page(chapter), port)


@cli.command()
@language_argument
def new(book: Book, language: str) -> None:
    """Begin another language, such as ja."""
    from ci.notebooks.refresh import begin_language

    for sentence in begin_language(book, language):
        print(sentence.say(users_sentences().gettext))


@cli.group(no_args_is_help=False)
def export() -> None:
    """Write a chapter as a post, or the book as an EPUB or a PDF."""


@export.command("post")
@language_argument
@click.argument("chapter")
@click.argument("folder", required=False, type=path)
def export_post(book: Book, language: str, chapter: str, folder: Path | None) -> None:
    """Write a chapter as a post for a Jekyll blog."""
    from ci.site.export import post

    name, code = book.find_chapter(chapter), book.find_language(language)
    display.tell(WRITTEN, path=post.export(book, name, code, folder or book.built("export")))


@export.command("epub")
@languages_argument
def export_epub(book: Book, languages: Sequence[str]) -> None:
    """Make the book as an EPUB: _build/epub."""
    from ci.execution import run
    from ci.site.export import epub

    codes = [book.find_language(code) for code in languages or book.languages]
    for file in epub.write(book, codes, run.execute(book)[0]):
        display.tell(WRITTEN, path=book.relative(file))


@export.command("pdf")
@languages_argument
def export_pdf(book: Book, languages: Sequence[str]) -> None:
    """Print the book as a PDF: _build/pdf."""
    from ci.execution import run
    from ci.site import browser
    from ci.site.export import pdf

    browser.needed()  # before chapters are executed, for minutes
    codes = [book.find_language(code) for code in languages or book.languages]
    for file in pdf.write(book, codes, run.execute(book)[0]):
        display.tell(WRITTEN, path=book.relative(file))


@cli.command()
@click.argument("chapters", nargs=-1, metavar="[CHAPTER]...")
def prove(book: Book, chapters: Sequence[str]) -> int:
    """Change chapters on purpose: count what is noticed, and what still holds."""
    from ci.checks import prove

    return prove.report(book, [book.find_chapter(name) for name in chapters])


def main(words: Sequence[str]) -> int:
    """Run a command, by default `build`; return its exit status, as `commands.run` does."""
    if not sys.stdout.isatty():
        os.environ.setdefault("COLUMNS", "120")  # for tables
    if not words or (words[0].startswith("-") and words[0] not in commands.HELP):
        words = ["build", *words]
    return commands.run(cli, words, here(), users_sentences().gettext)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
