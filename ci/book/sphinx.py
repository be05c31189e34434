"""Run Sphinx with the settings that Jupyter Book reads from `_config.yml`."""

import errno
import importlib
import multiprocessing
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.context import ForkProcess
from pathlib import Path
from shutil import disk_usage
from typing import Any

from ci import _
from ci.book import Book, BookError, display

FULL = 2**20  # bytes that are left on a full disk
PAGES = (".doctree", ".html", ".xhtml", ".pot")
STAGES = {
    "html": _("rendering"),
    "epub": _("making the EPUB"),
    "singlehtml": _("printing"),
    "gettext": _("reading the pages"),
}


def render(
    book: Book,
    builder: str,
    language: str,
    *,
    cache: Path,
    output: Path,
    doctrees: Path,
    strict: bool = True,
    **settings: Any,
) -> bool:
    """Render the book in one language, in this process, as `jupyter-book build` does; return whether it succeeded.

    The outputs are those of `cache`, a jupyter-cache. If `strict`, warnings are errors, as are references without a
    target. `settings` of Sphinx replace those of `_config.yml`.
    """
    from jupyter_book.sphinx import build_sphinx

    own = {"language": language, "nb_execution_cache_path": str(cache), "nitpicky": strict, **settings}
    status = build_sphinx(
        book.root,
        output,
        noconfig=True,
        path_config=book.root / "_config.yml",
        confoverrides={"external_toc_path": "_toc.yml", "latex_individualpages": False, **own},
        doctreedir=doctrees,
        quiet=True,
        builder=builder,
        warningiserror=strict,
        keep_going=strict,
    )
    return status == 0


def warm_up(book: Book) -> None:
    """Import Sphinx and its extensions for forks; raise BookError if Jupyter Book cannot use `_config.yml`."""
    from jsonschema import ValidationError
    from jupyter_book.config import validate_yaml
    from sphinx.application import builtin_extensions

    try:
        validate_yaml(book.config, raise_on_errors=True)
    except ValidationError as error:
        raise BookError(f"_config.yml: {' '.join(error.message.split())}") from error
    own = book.config["sphinx"]["config"]["extensions"]
    for name in ("jupyter_book.sphinx", *builtin_extensions, *own, "myst_nb.sphinx_ext"):
        importlib.import_module(name)


def fork(book: Book, *arguments: str, errors: Path | None = None, **settings: Any) -> ForkProcess:
    """Start `render` in a fork of this process, with stderr in a file if one is given; return the new process."""

    def work() -> None:
        sys.stdout = sys.__stdout__  # the progress bar of the parent replaces stdout, and its lock may be held
        if errors:
            sys.stderr = errors.open("w", encoding="utf-8")
        sys.exit(not render(book, *arguments, **settings))

    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    return process


def render_all(book: Book, builder: str, places: Mapping[str, Mapping[str, Path]], **settings: Any) -> None:
    """Render several languages in parallel by a builder of Sphinx, one of `STAGES`, with the arguments of `render`.

    `places` are {language: its folders "output" and "doctrees"}. Raise BookError if a language failed; its errors have
    been printed, each line once. Raise OSError if the disk is full.
    """
    errors = {code: book.built(f"{builder}-{code}.errors") for code in places}
    begun, total, done = time.time(), 2 * len(book.pages) * len(places), 0  # each page is read, then written
    with display.stage(STAGES[builder], total) as advance:
        warm_up(book)
        running = {
            code: fork(book, builder, code, errors=errors[code], **folders, **settings)
            for code, folders in places.items()
        }
        try:
            for process in running.values():
                while process.is_alive():
                    process.join(1)
                    now = max(done, min(total, newer(places, begun)))
                    advance(now - done)
                    done = now
        finally:
            for process in running.values():
                process.terminate()
                process.join()
    failed = [code for code, process in running.items() if process.exitcode]
    if failed and disk_usage(book.built()).free < FULL:
        raise OSError(errno.ENOSPC, "the disk is full")
    lines = [line for path in errors.values() for line in path.read_text(encoding="utf-8").splitlines()]
    if lines:
        print(*dict.fromkeys(lines), sep="\n", file=sys.stderr)
    if failed:
        sentence = _("{builder} in {languages} failed: repair the errors above, and run again")
        raise BookError(sentence, builder=builder, languages=", ".join(failed))


def newer(places: Mapping[str, Mapping[str, Path]], begun: float) -> int:
    """Return the number of the files of pages, read or written, that are newer than a time."""
    files = (file for folders in places.values() for folder in folders.values() for file in folder.rglob("*.*"))
    with suppress(FileNotFoundError):  # a file that is just being replaced
        return sum(file.suffix in PAGES and file.stat().st_mtime > begun for file in files)
    return 0
