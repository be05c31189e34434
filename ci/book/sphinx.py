"""Run Sphinx with the configuration that Jupyter Book generates from that of the book."""

import importlib
import io
import multiprocessing
import sys
from collections.abc import Iterable, Mapping
from contextlib import redirect_stdout
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

import yaml

from ci import _
from ci.book import Book, BookError, display, files, merged

STAGES = {"html": _("rendering"), "epub": _("making the EPUB"), "gettext": _("reading the pages")}


def configure(book: Book) -> None:
    """Write `conf.py`, as `jupyter-book config sphinx` does; raise BookError if it finds a fault in `_config.yml`."""
    from jupyter_book.cli.main import main

    config = merged(book.config, {"sphinx": {"config": {"book_languages": book.languages}}})
    said, whole = io.StringIO(), book.built("config", "_config.yml")  # `conf.py` is written beside it
    files.write(whole, yaml.safe_dump(config, allow_unicode=True, sort_keys=False))
    written = whole.with_name("conf.py")
    written.unlink(missing_ok=True)
    with redirect_stdout(said):
        main(["config", "sphinx", str(book.root), "--config", str(whole)], standalone_mode=False)
    if not written.exists():
        raise BookError(f"_config.yml: {said.getvalue()}")
    written.replace(book.root / "conf.py")


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
      cache: The folder of the jupyter-cache with the executed chapters; nothing is executed.
      output: The folder for the result.
      doctrees: The folder for the doctrees of Sphinx.
      strict: Whether warnings are errors.
      context: {name: value} for the templates.
      settings: Settings of Sphinx that replace those of `_config.yml`.

    Returns:
      Whether it succeeded; errors are printed on stderr.
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
    """Write `conf.py` and import Sphinx and its extensions, so that forks of this process need not import them."""
    from sphinx.application import builtin_extensions

    configure(book)
    own = book.config["sphinx"]["config"]["extensions"]
    for name in ("sphinx.cmd.build", *builtin_extensions, *own, "myst_nb.sphinx_ext"):
        importlib.import_module(name)


def fork(book: Book, *arguments: str, errors: Path | None = None, **settings: Any) -> ForkProcess:
    """Start `render` in a fork of this process; return the new process.

    Args:
      errors: The file to which its stderr is written; by default it uses the stderr of this process.
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
    """Render several languages in parallel.

    Args:
      builder: The name of a builder of Sphinx, one of `STAGES`.
      places: {language: the folders "output" and "doctrees" of `render`}.
      settings: Other keyword arguments of `render`.

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
    """Print error files on stderr, without lines already printed from an earlier file, and delete the files."""
    printed: set[str] = set()
    for path in files:
        lines = path.read_text(encoding="utf-8").splitlines()
        print(*(line + "\n" for line in lines if line not in printed), sep="", end="", file=sys.stderr)
        printed.update(lines)
        path.unlink()
