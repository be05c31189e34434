"""The one door: `./ci/book.sh [VERB]`, which is `python -m ci [VERB]` in the environment of the book.

Each verb is a function of (book, arguments) and returns the exit status. It imports what it needs: `--help` is quick.
"""

import argparse
import os
import signal
import sys
from contextlib import nullcontext

from ci import _
from ci.book import BookError, UsageError, files, here, processes, waiting
from ci.book import lock as tree_lock
from ci.book.commands import DEFAULT, VERBS, count, number, one, parse, path, port, several, title, verb
from ci.catalogues.sentences import say, users_sentences

STOPPED = _("stopped; nothing is lost, and the next run goes on from here")
WIDTH = "120"  # columns of a table that no terminal shows
FORMAT = "github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text"


@verb(
    _("build the book in all languages: _build/html; the default"),
    one("--keep-going", action="store_true", help=_("where a chapter fails, show the outputs of its notebook")),
)
def build(book, arguments):
    from ci.site.build import build

    return build(book, arguments.keep_going)


@verb(
    _("check everything and count the checks, or check some chapters"),
    several("chapters", "CHAPTER"),
    one("--changed", action="store_true", help=_("only what a change since the last commit can affect")),
)
def test(book, arguments):
    from ci.checks import checks

    return checks.run(book, [book.find_chapter(name) for name in arguments.chapters], arguments.changed)


@verb(_("serve the built book on this machine"), number("port", 8000, port), locked=False)
def serve(book, arguments):
    from ci.site import browser, publish

    browser.serve_here(publish.readable(book), arguments.port)


@verb(
    _("bring chapters and notebooks together, execute what has changed, write outputs and translations"),
    one("--check", action="store_true", help=_("only say what would be written, and fail if anything would")),
    one("--take", action="append", default=[], type=path, metavar="FILE", help=_("the one that counts of two edits")),
)
def refresh(book, arguments):
    from ci.notebooks import make, refresh

    return make.check(book) if arguments.check else refresh.refresh(book, arguments.take)


@verb(_("rename a page, with its notebooks, its catalogues and the links to it"), one("old"), one("new"))
def rename(book, arguments):
    from ci.notebooks.rename import rename

    print(*rename(book, book.find_page(arguments.old), arguments.new), sep="\n")


@verb(
    _("say what is wrong with the catalogues, with file and line"),
    several("files", "PAGE"),
    one("--format", choices=("text", "github", "json"), default=FORMAT),
    one("--advise", action="store_true", help=_("end with exit status 0 also if there are faults")),
)
def check(book, arguments):
    from ci.catalogues import check, messages, report

    messages.extract(book)
    files = [file for name in arguments.files for file in check.find(book, name, path(name))]
    found = check.check(book, messages.folder(book), files)
    print(*report.FORMATS[arguments.format](found, users_sentences().gettext), sep="\n")
    return bool(found.problems) and not arguments.advise


@verb(_("bring catalogues and translated notebooks up to date with the English"), several("languages", "LANGUAGE"))
def update(book, arguments):
    from ci.notebooks import translations

    languages = [book.find_language(code, book.translations) for code in arguments.languages]
    translations.update(book, languages or book.translations)


@verb(_("say how far each page is in each language"), locked=False)
def status(book, _arguments):
    from ci.catalogues import progress

    progress.show(book)


@verb(
    _("show the book while a catalogue is edited"),
    *(one("language"), one("chapter", nargs="?"), one("--port", type=port, default=8000)),
    locked=False,
)
def preview(book, arguments):
    from ci.site import preview

    language = book.find_language(arguments.language, book.translations)
    preview.serve(book, language, arguments.chapter and book.find_page(arguments.chapter), arguments.port)


@verb(_("begin another language, such as ja"), one("language"))
def new(book, arguments):
    from ci.notebooks import translations

    for sentence in translations.begin(book, arguments.language):
        print(sentence.say(users_sentences().gettext))


@verb(
    _("write a chapter as a post for a Jekyll blog"),
    *(one("language"), one("chapter"), one("folder", nargs="?", type=path)),
    locked=False,
)
def export(book, arguments):
    from ci.site.export import blog, post

    chapter = post.Post(book, book.find_chapter(arguments.chapter), book.find_language(arguments.language))
    print(say(_("written: {path}"), path=blog.export(chapter, arguments.folder or book.built("export"))))


@verb(_("make the book as an EPUB: _build/epub"), several("languages", "LANGUAGE"))
def epub(book, arguments):
    from ci.site.export import epub

    epub.export(book, arguments.languages)


@verb(_("print the built book as a PDF: _build/pdf"), several("languages", "LANGUAGE"))
def pdf(book, arguments):
    from ci.site.export import pdf

    pdf.export(book, arguments.languages)


@verb(_("freeze the tagged book as a release, such as 1.0: _build/releases"), one("version"))
def freeze(book, arguments):
    from ci.site import freeze

    return freeze.freeze(book, arguments.version)


@verb(_("measure every page with Lighthouse, as on a phone"), number("runs", 1))
def lighthouse(book, arguments):
    from ci.site import lighthouse

    return lighthouse.report(book, arguments.runs)


@verb(
    _("say how long chapters are and what they cost"),
    several("chapters", "CHAPTER"),
    one("--alone", action="store_true", help=_("also execute each alone, with nothing from a cache")),
)
def report(book, arguments):
    from ci.checks import costs

    costs.report(book, [book.find_chapter(name) for name in arguments.chapters] or book.chapters, arguments.alone)


@verb(_("measure building and checking beside the usual way and the floor"), number("rounds", 3), locked=False)
def bench(book, arguments):
    from ci.checks import bench

    bench.report(book, arguments.rounds)


@verb(
    _("validate the notebooks as other machines would"),
    number("repetitions", 1),
    several("chapters", "CHAPTER"),
    one("--colab", action="store_true", help=_("with the packages of Colab's image")),
    one("--python", metavar="VERSION", help=_("in another Python, such as 3.13")),
)
def matrix(book, arguments):
    from ci.checks import colab, matrix

    chapters, times = [book.find_chapter(name) for name in arguments.chapters], arguments.repetitions
    return colab.run(book, chapters) if arguments.colab else matrix.report(book, times, chapters, arguments.python)


@verb(
    _("break notebooks, catalogues, programs or chapters on purpose and count what is caught"),
    one("what", choices=("outputs", "runs", "catalogues", "kills", "sabotages")),
    *(several("chapters", "CHAPTER"), one("--count", type=count, default=20, metavar="KILLS")),
)
def prove(book, arguments):
    from ci.checks import proof

    return proof(book, arguments.what, [book.find_chapter(name) for name in arguments.chapters], arguments.count)


@verb(_("renew requirements.txt from pyproject.toml; options go to uv"), one("options", nargs=argparse.REMAINDER))
def lock(book, arguments):
    from ci.book import packages

    return packages.renew(book, arguments.options)


@verb(_("install PyTorch and TensorFlow, for the chapters that compare with them"))
def frameworks(book, _arguments):
    return processes.run([sys.executable, "ci/book/install.py", "--frameworks"], cwd=book.root)


def main(argv):
    """Runs a verb; returns the exit status: 2 for a word that is not known, 1 for anything else that went wrong."""
    if not sys.stdout.isatty():
        os.environ.setdefault("COLUMNS", WIDTH)
    # SIGINT too: in the background it is ignored, also by every child, and no child could then be asked to stop.
    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, signal.default_int_handler)
    book, gettext = here(), users_sentences().gettext
    try:
        arguments = parse(argv or [DEFAULT], gettext)
        verb = VERBS[arguments.verb]
        held = tree_lock.held(book.built()) if verb.locked else nullcontext()
        with files.saying_full_disk(), held, waiting.command(book.built("seconds.json"), gettext, title(arguments)):
            return int(verb.work(book, arguments) or 0)
    except BookError as error:
        print(f"error: {error.say(gettext)}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    except KeyboardInterrupt:
        print(gettext(STOPPED), file=sys.stderr, flush=True)
        os._exit(130)  # the sockets of a kernel that was stopped in the middle do not survive an ordinary exit


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
