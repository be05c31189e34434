"""Running Sphinx, with the configuration that Jupyter Book makes from `_config.yml`."""

import importlib
import io
import multiprocessing
import sys
from collections.abc import Iterable, Mapping
from contextlib import redirect_stdout
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

from ci import _
from ci.book import Book, BookError, display

STAGES = {"html": _("rendering"), "epub": _("making the EPUB"), "gettext": _("reading the pages")}


def configure(book: Book) -> None:
    """Write `conf.py`, as `jupyter-book config sphinx` does; raise BookError if `_config.yml` cannot be read."""
    from jupyter_book.cli.main import main

    said, file = io.StringIO(), book.root / "conf.py"
    before = file.exists() and file.stat().st_mtime_ns
    with redirect_stdout(said):
        main(["config", "sphinx", str(book.root)], standalone_mode=False)
    if before == (file.exists() and file.stat().st_mtime_ns):
        raise BookError(f"_config.yml: {said.getvalue()}")


def render(
    book: Book,
    builder: str,
    language: str,
    *,
    cache: Path,
    output: Path,
    doctrees: Path,
    strict: bool = True,
    context: Mapping[str, str] | None = None,
    **settings: str,
) -> bool:
    """Render the book in one language, in this process.

    Args:
      builder: The name of a builder of Sphinx, such as "html".
      cache: The folder of executed chapters; nothing is executed.
      output: The folder of the result.
      doctrees: The folder of parsed pages.
      strict: Whether a warning is a failure.
      context: {name: value} for the templates.
      settings: Settings of Sphinx that replace those of `_config.yml`.

    Returns:
      Whether it succeeded; the errors are on stderr.
    """
    from sphinx.cmd.build import build_main

    settings = {"language": language, "nb_execution_cache_path": str(cache), **settings}
    return not build_main([
        "-q", "-b", builder, "-d", str(doctrees), *(["-W", "-n", "--keep-going"] if strict else []),
        *(f"-D{name}={value}" for name, value in settings.items()),
        *(f"-A{name}={value}" for name, value in (context or {}).items()),
        str(book.root), str(output),
    ])  # fmt: skip


def warm_up(book: Book) -> None:
    """Configure Sphinx and import its extensions, which forks of this process then need not import again."""
    from sphinx.application import builtin_extensions

    configure(book)
    own = book.config["sphinx"]["config"]["extensions"]
    for name in ("sphinx.cmd.build", *builtin_extensions, *own, "myst_nb.sphinx_ext"):
        importlib.import_module(name)


def fork(book: Book, *arguments: str, errors: Path | None = None, **settings: Any) -> ForkProcess:
    """Start `render` in a fork of this process; return the process.

    Args:
      errors: The file to which stderr is written; by default stderr stays that of this process.
    """

    def work() -> None:
        sys.stdout = sys.__stdout__  # the progress bar of the parent replaces stdout, and its lock may be held
        if errors:
            sys.stderr = errors.open("w", encoding="utf-8")
        sys.exit(not render(book, *arguments, **settings))

    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    return process


def render_all(book: Book, builder: str, places: Mapping[str, Mapping[str, Path]], **settings: Any) -> None:
    """Render several languages at the same time.

    Args:
      builder: The name of a builder of Sphinx, one of `STAGES`.
      places: {language: the folders "output" and "doctrees" of `render`}.
      settings: Those of `render`.

    Raises:
      BookError: A language failed; the errors have been printed, each line once.
    """
    errors = {code: book.built(f"{builder}-{code}.errors") for code in places}
    with display.stage(STAGES[builder], len(places), _("languages")) as advance:
        warm_up(book)
        running = {
            code: fork(book, builder, code, errors=errors[code], **folders, **settings)
            for code, folders in places.items()
        }
        try:
            for process in running.values():
                process.join()
                advance()
        finally:
            for process in running.values():
                process.terminate()
                process.join()
    print_once(errors.values())
    if failed := [code for code, process in running.items() if process.exitcode]:
        sentence = _("{builder} in {languages} failed: repair the errors above, and run again")
        raise BookError(sentence, builder=builder, languages=", ".join(failed))


def print_once(files: Iterable[Path]) -> None:
    """Print files on stderr, without the lines that an earlier one of them has, and remove them."""
    printed: set[str] = set()
    for path in files:
        lines = path.read_text(encoding="utf-8").splitlines()
        print(*(line + "\n" for line in lines if line not in printed), sep="", end="", file=sys.stderr)
        printed.update(lines)
        path.unlink()
