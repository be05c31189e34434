"""Serves the book in one language and renders it again whenever a catalogue changes; executes nothing.

python -m ci.preview LANGUAGE [CHAPTER] [--port PORT]
"""

import argparse
import importlib
import multiprocessing
import os
import re
import socket
import subprocess
import sys

import sphinx.application
import sphinx.cmd.build
from sphinx_autobuild import __main__ as autobuild
from sphinx_autobuild.build import Builder

from ci import stored
from ci.chapters import BookError, here
from ci.errors import reported
from ci.faults import _
from ci.words import say


def find_page(book, wanted):
    """Returns the page a person means by its name or the end of it, or by the path of its file or catalogue.

    Raises:
      BookError: there is none, or more than one.
    """
    ending = "/" + wanted.removesuffix(".md").removesuffix(".po").removesuffix(".ipynb").rpartition("LC_MESSAGES/")[2]
    found = [page for page in book.pages if f"/{page}".endswith(ending)]
    if len(found) != 1:
        raise BookError(f"{wanted!r} is no page of the book: it has {', '.join(found or book.pages)}")
    return found[0]


def find_language(book, wanted):
    """Raises BookError if the book is not translated into a language."""
    if wanted not in book.translations:
        raise BookError(f"the book is not translated into {wanted!r}; it is into {', '.join(book.translations)}")
    return wanted


def check_port(port):
    """Raises BookError if something else is listening."""
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        raise BookError(f"port {port} is taken; choose another: --port {port + 1}") from error


class WarmBuilder(Builder):
    """Renders in a fork of this process, which has imported everything, and checks the catalogue meanwhile."""

    check = ()

    def __call__(self, *, changed_paths):
        checking = subprocess.Popen(self.check)
        rendering = multiprocessing.get_context("fork").Process(target=render, args=(self.sphinx_args,))
        rendering.start()
        rendering.join()
        checking.wait()
        if rendering.exitcode:
            print(say(_("The page is as before. Put this right and save again.")), flush=True)


def render(arguments):
    sys.exit(sphinx.cmd.build.main(arguments))


def warm_up(book):
    """Imports what rendering a page needs, which takes longer than rendering it."""
    own = book.config["sphinx"]["config"]["extensions"]
    for name in (*sphinx.application.builtin_extensions, *own, "myst_nb.sphinx_ext"):
        importlib.import_module(name)


def options(book, language, port):
    """The arguments of sphinx-autobuild."""
    output = f"_build/preview/{language}"
    unrelated = f"^{re.escape(str(book.root))}/(ci|tests|notebooks|_build|flaxbook)/"
    return [
        "-q", "-b", "html", "-D", f"language={language}", "-D", f"nb_execution_cache_path={stored.stored_path(book)}",
        "-d", f"{output}/doctrees", f"--port={port}", "--re-ignore", r"\.mo$", "--re-ignore", unrelated,
        "-A", "preview=yes", ".", f"{output}/html",
    ]  # fmt: skip


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("language")
    arguments.add_argument("chapter", nargs="?")
    arguments.add_argument("--port", type=int, default=8000)
    chosen = arguments.parse_args()
    book = here()
    with reported():
        language = find_language(book, chosen.language)
        page = find_page(book, chosen.chapter) if chosen.chapter else None
        check_port(chosen.port)
        stored.fill(book)
        os.closerange(3, 256)  # lets go of the lock of the build: this one does not end by itself
        warm_up(book)
        catalogue = [book.relative(book.catalogue(page, language))] if page else []
        WarmBuilder.check = (sys.executable, "-m", "ci.check", "--advise", *catalogue)
        autobuild.Builder = WarmBuilder
        print(f"http://127.0.0.1:{chosen.port}/{page or book.pages[0]}.html (Ctrl-C to stop)", flush=True)
        autobuild.main(options(book, language, chosen.port))


if __name__ == "__main__":
    main()
