"""The verbs of the command line: `./ci/book.sh [VERB]` is `python -m ci [VERB]` in the environment of the book.

Each verb is a function of the book and its arguments and returns the exit status, None for 0. It imports what it needs
by itself, so that `--help` is quick.
"""

import os
import signal
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import nullcontext

from ci import _
from ci.book import Book, BookError, UsageError, display, files, here, processes
from ci.book import lock as tree_lock
from ci.book.commands import GROUPS, VERBS, argument, argument_list, parse, path, port, verb
from ci.catalogues.sentences import say, users_sentences

STOPPED = _("stopped; nothing is lost, and the next run goes on from here")
WIDTH = "120"  # columns of tables, where there is no terminal
FORMAT = "github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text"


@verb(
    _("build the book in all languages: _build/html; the default"),
    argument("--keep-going", action="store_true", help=_("where a chapter fails, show the outputs of its notebook")),
)
def build(book: Book, arguments: Namespace) -> int:
    """Build the site."""
    from ci.site.build import build

    return build(book, arguments.keep_going)


@verb(
    _("check everything and count the checks, or check some chapters"),
    argument_list("chapters", "CHAPTER"),
    argument("--changed", action="store_true", help=_("only what a change since the last commit can affect")),
)
def test(book: Book, arguments: Namespace) -> int:
    """Run the checks."""
    from ci.checks import checks

    return checks.run(book, [book.find_chapter(name) for name in arguments.chapters], arguments.changed)


@verb(_("serve the built book on this machine"), argument("port", nargs="?", type=port, default=8000), locked=False)
def serve(book: Book, arguments: Namespace) -> None:
    """Serve the site."""
    from ci.site import browser, publish

    browser.serve_here(publish.readable(book), arguments.port)


@verb(
    _("bring chapters and notebooks together, execute what has changed, write outputs and translations"),
    argument("--check", action="store_true", help=_("only say what would be written, and fail if anything would")),
    argument(
        "--take", action="append", default=[], type=path, metavar="FILE", help=_("the one that counts of two edits")
    ),
)
def refresh(book: Book, arguments: Namespace) -> None:
    """Make the notebooks agree with the chapters."""
    from ci.notebooks import make, refresh

    if arguments.check:
        make.check(book)
    else:
        refresh.refresh(book, arguments.take)


@verb(
    _("say what is wrong with the catalogues, with file and line"),
    argument_list("files", "PAGE"),
    argument("--format", choices=("text", "github"), default=FORMAT),
    argument("--advise", action="store_true", help=_("end with exit status 0 also if there are faults")),
)
def check(book: Book, arguments: Namespace) -> int:
    """Check the catalogues."""
    from ci.catalogues import check, formats, messages

    messages.extract(book)
    files = [file for name in arguments.files for file in check.find(book, name, path(name))]
    found = check.check(book, messages.folder(book), files)
    print(*formats.FORMATS[arguments.format](found, users_sentences().gettext), sep="\n")
    return int(bool(found.problems) and not arguments.advise)


@verb(
    _("bring catalogues and translated notebooks up to date with the English"), argument_list("languages", "LANGUAGE")
)
def update(book: Book, arguments: Namespace) -> None:
    """Merge new messages into the catalogues."""
    from ci.notebooks.refresh import update_translations

    languages = [book.find_language(code, book.translations) for code in arguments.languages]
    update_translations(book, languages or book.translations)


@verb(_("say how far each page is in each language"), locked=False)
def status(book: Book, _arguments: Namespace) -> None:
    """Print how much of each page is translated."""
    from ci.catalogues import translation_progress

    translation_progress.show(book)


@verb(
    _("show the book while a catalogue is edited"),
    *(argument("language"), argument("chapter", nargs="?"), argument("--port", type=port, default=8000)),
    locked=False,
)
def preview(book: Book, arguments: Namespace) -> None:
    """Serve one language and follow its catalogues."""
    from ci.site import preview

    language = book.find_language(arguments.language, book.translations)
    preview.serve(book, language, arguments.chapter and book.find_page(arguments.chapter), arguments.port)


@verb(_("begin another language, such as ja"), argument("language"))
def new(book: Book, arguments: Namespace) -> None:
    """Begin the catalogues of a language."""
    from ci.notebooks.refresh import begin_language

    for sentence in begin_language(book, arguments.language):
        print(sentence.say(users_sentences().gettext))


GROUPS["export"] = _("write a chapter as a post, or the book as an EPUB or a PDF")


@verb(
    _("write a chapter as a post for a Jekyll blog"),
    *(argument("language"), argument("chapter"), argument("folder", nargs="?", type=path)),
    locked=False,
)
def export_post(book: Book, arguments: Namespace) -> None:
    """Write a chapter as a post."""
    from ci.site.export import blog, post

    chapter = post.Post(book, book.find_chapter(arguments.chapter), book.find_language(arguments.language))
    print(say(_("written: {path}"), path=blog.export(chapter, arguments.folder or book.built("export"))))


@verb(_("make the book as an EPUB: _build/epub"), argument_list("languages", "LANGUAGE"))
def export_epub(book: Book, arguments: Namespace) -> None:
    """Make an EPUB in each language."""
    from ci.site.export import epub

    epub.export(book, arguments.languages)


@verb(_("print the built book as a PDF: _build/pdf"), argument_list("languages", "LANGUAGE"))
def export_pdf(book: Book, arguments: Namespace) -> None:
    """Print a PDF in each language."""
    from ci.site.export import pdf

    pdf.export(book, arguments.languages)


@verb(_("freeze the tagged book as a release, such as 1.0: _build/releases"), argument("version"))
def freeze(book: Book, arguments: Namespace) -> None:
    """Freeze a release."""
    from ci.site import freeze

    freeze.freeze(book, arguments.version)


@verb(
    _("say how long chapters are and what they cost"),
    argument_list("chapters", "CHAPTER"),
    argument("--alone", action="store_true", help=_("also execute each alone, with nothing from a cache")),
)
def report(book: Book, arguments: Namespace) -> None:
    """Print the length and the cost of chapters."""
    from ci.checks import costs

    costs.report(book, [book.find_chapter(name) for name in arguments.chapters] or book.chapters, arguments.alone)


GROUPS["prove"] = _("change chapters on purpose: count what is noticed, and what still holds")


@verb(_("take the causes of what chapters show away, one by one"), argument_list("chapters", "CHAPTER"))
def prove_sabotages(book: Book, arguments: Namespace) -> int:
    """Try the sabotages of chapters."""
    from ci.checks import sabotage

    return sabotage.report(book, [book.find_chapter(name) for name in arguments.chapters])


@verb(_("try whether what chapters teach holds under variations"), argument_list("chapters", "CHAPTER"))
def prove_lessons(book: Book, arguments: Namespace) -> int:
    """Try the lessons of chapters."""
    from ci.checks import lessons

    return lessons.report(book, [book.find_chapter(name) for name in arguments.chapters])


@verb(_("install PyTorch and TensorFlow, for the chapters that compare with them"))
def frameworks(book: Book, _arguments: Namespace) -> int:
    """Install the other frameworks."""
    return processes.run([sys.executable, "ci/book/install.py", "--frameworks"], cwd=book.root)


def main(argv: Sequence[str]) -> int:
    """Run a verb; return the exit status: 2 if a word is unknown, 1 for any other error, 130 for Ctrl-C."""
    if not sys.stdout.isatty():
        os.environ.setdefault("COLUMNS", WIDTH)
    # SIGINT too: in the background it is ignored, also by every child, and no child could then be asked to stop.
    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, signal.default_int_handler)
    book, gettext = here(), users_sentences().gettext
    try:
        arguments = parse(argv, gettext)
        verb = VERBS[arguments.verb]
        held = tree_lock.held(book.built()) if verb.locked else nullcontext()
        with files.disk_faults_as_errors(), held, display.command(gettext):
            return int(verb.work(book, arguments) or 0)
    except BookError as error:
        print(f"error: {error.say(gettext)}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    except KeyboardInterrupt:
        print(gettext(STOPPED), file=sys.stderr, flush=True)
        os._exit(130)  # the sockets of a kernel that was stopped in the middle do not survive an ordinary exit


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
