"""Check some chapters: their texts, a new execution, and what is stored of them (the session `chapter` of nox)."""

import sys
from collections.abc import Sequence

from ci.book import Book, commands, here, lock, processes
from ci.catalogues.sentences import users_sentences
from ci.execution import run as execution
from ci.notebooks import faults, leftovers


def check(book: Book, names: Sequence[str]) -> int:
    """Check chapters; return the exit status.

    Raises:
      BookError: A text has a fault, and nothing was executed.
    """
    leftovers.refuse_missing(book)
    faults.refuse(faults.in_sources(book), faults.BEFORE)
    _folder, errors = execution.execute(book, names, keep_going=True, anew=True)
    for error in errors:
        print(error.say(users_sentences().gettext))
    tests = [name for name in ("tests/test_book.py",) if (book.root / name).exists()]
    notebooks = [book.relative(book.notebook(name, book.source_language)) for name in names]
    only = " or ".join(["ipynb", *(f"{name}- or {name}]" for name in names)])
    words = ["-q", "-p", "ci.execution.nbval", "--nbval", "--executed", "-k", only]
    report = f"--junitxml={book.built('reports', 'chapter.xml')}"
    status = processes.run([sys.executable, "-m", "pytest", *words, report, *notebooks, *tests], cwd=book.root)
    return status or int(bool(errors))


def main(words: Sequence[str]) -> int:
    """Check the chapters that are named; return the exit status."""
    book = here()
    with lock.held(book.built()):
        return check(book, [book.find_chapter(name) for name in words] or book.chapters)


if __name__ == "__main__":
    sys.exit(commands.guarded(lambda: main(sys.argv[1:]), users_sentences().gettext))
