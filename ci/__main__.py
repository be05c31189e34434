"""The commands: `./ci/book.sh [COMMAND]` runs `python -m ci [COMMAND]` in the virtual environment of the book.

Each command is a function that takes the book and the parsed arguments, and returns the exit status, or None for 0. It
imports the modules that it needs in its body, so that `--help` is quick.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path

from ci import _
from ci.book import Book, here, lock
from ci.book.commands import GROUPS, VERBS, argument, argument_list, guarded, parse, path, port, verb
from ci.catalogues.sentences import say, users_sentences

WIDTH = "120"  # columns of tables, where there is no terminal
FORMAT = "github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text"


@verb(
    "build the book in all languages: _build/html; the default",
    argument("--keep-going", action="store_true", help="where a chapter fails, show the outputs of its notebook"),
)
def build(book: Book, arguments: Namespace) -> int:
    """Build the site; return the exit status."""
    from ci.site.build import build

    return build(book, arguments.keep_going)


@verb("serve the built book on this machine", argument("port", nargs="?", type=port, default=8000), locked=False)
def serve(book: Book, arguments: Namespace) -> None:
    """Serve the built site until Ctrl-C."""
    from ci.site import browser, publish

    browser.serve_here(publish.readable(book), arguments.port)


@verb(
    "bring chapters and notebooks together, execute what has changed, write outputs and translations",
    argument("--check", action="store_true", help="only say what would be written, and fail if anything would"),
    argument(
        "--take", action="append", default=[], type=path, metavar="FILE", help="the one that counts of two edits"
    ),
)
def refresh(book: Book, arguments: Namespace) -> None:
    """Update chapters and notebooks from each other; with `--check`, only compare them."""
    from ci.notebooks import refresh

    if arguments.check:
        refresh.check(book)
    else:
        refresh.refresh(book, arguments.take)


@verb(
    "say what is wrong with the catalogues, with file and line",
    argument_list("files", "PAGE"),
    argument("--format", choices=("text", "github"), default=FORMAT),
    argument("--advise", action="store_true", help="end with exit status 0 also if there are faults"),
)
def check(book: Book, arguments: Namespace) -> int:
    """Check the catalogues and print the problems; return 1 if there are any, except with `--advise`."""
    from ci.catalogues import check, messages

    messages.extract(book)
    files = [file for name in arguments.files for file in check.find(book, name, path(name))]
    found = check.check(book, messages.folder(book), files)
    print(*check.FORMATS[arguments.format](found, users_sentences().gettext), sep="\n")
    return int(bool(found.problems) and not arguments.advise)


@verb("bring catalogues and translated notebooks up to date with the English", argument_list("languages", "LANGUAGE"))
def update(book: Book, arguments: Namespace) -> None:
    """Merge new messages into the catalogues, and update the translated notebooks."""
    from ci.notebooks.refresh import update_translations

    known = [code for code in book.languages if book.domains_in(code)]
    update_translations(book, [book.find_language(code, known) for code in arguments.languages] or known)


@verb("say how far each page is in each language", locked=False)
def status(book: Book, _arguments: Namespace) -> None:
    """Print how much of each page is translated."""
    from ci.catalogues import translation_progress

    translation_progress.show(book)


@verb(
    "show the book while a catalogue is edited",
    *(argument("language"), argument("chapter", nargs="?"), argument("--port", type=port, default=8000)),
    locked=False,
)
def preview(book: Book, arguments: Namespace) -> None:
    """Serve the book in one language, and render it again when a catalogue changes."""
    from ci.site import preview

    language = book.find_language(arguments.language, book.translations)
    preview.serve(book, language, arguments.chapter and book.find_page(arguments.chapter), arguments.port)


@verb("begin another language, such as ja", argument("language"))
def new(book: Book, arguments: Namespace) -> None:
    """Create the catalogues of a new language."""
    from ci.notebooks.refresh import begin_language

    for sentence in begin_language(book, arguments.language):
        print(sentence.say(users_sentences().gettext))


def languages_named(book: Book, arguments: Namespace) -> list[str]:
    """Return the languages named in the arguments of a command, or all languages of the book."""
    return [book.find_language(code) for code in arguments.languages or book.languages]


def say_what_is_written(book: Book, files: Iterable[Path]) -> None:
    """Print the path of each file as soon as it is written."""
    for file in files:
        print(say(_("written: {path}"), path=book.relative(file)))


GROUPS["export"] = "write a chapter as a post, or the book as an EPUB or a PDF"


@verb(
    "write a chapter as a post for a Jekyll blog",
    *(argument("language"), argument("chapter"), argument("folder", nargs="?", type=path)),
    locked=False,
)
def export_post(book: Book, arguments: Namespace) -> None:
    """Write a chapter as a post."""
    from ci.site.export import post

    chapter, language = book.find_chapter(arguments.chapter), book.find_language(arguments.language)
    path = post.export(book, chapter, language, arguments.folder or book.built("export"))
    print(say(_("written: {path}"), path=path))


@verb("make the book as an EPUB: _build/epub", argument_list("languages", "LANGUAGE"))
def export_epub(book: Book, arguments: Namespace) -> None:
    """Write an EPUB in each language; execute the chapters first if they have changed."""
    from ci.execution import run
    from ci.site.export import epub

    languages = languages_named(book, arguments)
    say_what_is_written(book, epub.write(book, languages, run.execute(book)[0]))


@verb("print the built book as a PDF: _build/pdf", argument_list("languages", "LANGUAGE"))
def export_pdf(book: Book, arguments: Namespace) -> None:
    """Write a PDF of the built book in each language."""
    from ci.site.export import pdf

    say_what_is_written(book, pdf.write(book, languages_named(book, arguments)))


@verb(
    "change chapters on purpose: count what is noticed, and what still holds",
    argument_list("chapters", "CHAPTER"),
)
def prove(book: Book, arguments: Namespace) -> int:
    """Check that sabotages of the chapters change an output, and that lessons hold; return the exit status."""
    from ci.checks import prove

    return prove.report(book, [book.find_chapter(name) for name in arguments.chapters])


def run(book: Book, argv: Sequence[str]) -> int | None:
    """Run a command; return its exit status."""
    arguments = parse(argv)
    verb = VERBS[arguments.verb]
    with lock.held(book.built()) if verb.locked else nullcontext():
        return verb.work(book, arguments)


def main(argv: Sequence[str]) -> int:
    """Run a command; return its exit status, as `commands.guarded` does."""
    if not sys.stdout.isatty():
        os.environ.setdefault("COLUMNS", WIDTH)
    return guarded(lambda: run(here(), argv), users_sentences().gettext)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
