"""The one call of Sphinx, with the configuration that Jupyter Book makes of `_config.yml`."""

import importlib
import io
import multiprocessing
import sys
from contextlib import redirect_stdout

from ci import _
from ci.book import BookError, waiting

STAGES = {"html": _("rendering"), "epub": _("making the EPUB"), "gettext": _("reading the pages")}


def configure(book):
    """Writes `conf.py`, as `jupyter-book config sphinx` does.

    Raises:
      BookError: `_config.yml` or `_toc.yml` cannot be read.
    """
    from jupyter_book.cli.main import main

    said, file = io.StringIO(), book.root / "conf.py"
    before = file.exists() and file.stat().st_mtime_ns
    with redirect_stdout(said):
        main(["config", "sphinx", str(book.root)], standalone_mode=False)
    if before == (file.exists() and file.stat().st_mtime_ns):
        raise BookError(f"_config.yml: {said.getvalue()}")


def render(book, builder, language, *, cache, output, doctrees, strict=True, context=None, **settings):
    """Renders the book in one language, in this process.

    Args:
      builder: of Sphinx, such as "html".
      cache: the folder of executed chapters; nothing is executed.
      output, doctrees: folders.
      strict: whether a warning is a failure.
      context: {name: value} for the templates.
      settings: of Sphinx, over those of `_config.yml`.

    Returns:
      Whether it succeeded; what went wrong is on stderr.
    """
    from sphinx.cmd.build import build_main

    settings = {"language": language, "nb_execution_cache_path": cache, **settings}
    return not build_main([
        "-q", "-b", builder, "-d", str(doctrees), *(["-W", "-n", "--keep-going"] if strict else []),
        *(f"-D{name}={value}" for name, value in settings.items()),
        *(f"-A{name}={value}" for name, value in (context or {}).items()),
        str(book.root), str(output),
    ])  # fmt: skip


def warm_up(book):
    """Configures Sphinx, and imports for the forks of this process what takes longer than rendering a page."""
    import sphinx.application
    import sphinx.cmd.build  # noqa: F401

    configure(book)
    own = book.config["sphinx"]["config"]["extensions"]
    for name in (*sphinx.application.builtin_extensions, *own, "myst_nb.sphinx_ext"):
        importlib.import_module(name)


def fork(book, *arguments, errors=None, **settings):
    """Starts `render` in a fork of this process; returns the process.

    Args:
      errors: a path to which stderr goes; by default it stays this process's.
    """

    def work():
        sys.stdout = sys.__stdout__  # not through the display of the other process, whose lock may be held
        if errors:
            sys.stderr = errors.open("w", encoding="utf-8")
        sys.exit(not render(book, *arguments, **settings))

    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    return process


def render_all(book, builder, places, **settings):
    """Renders several languages side by side.

    Args:
      places: {language: {"output": folder, "doctrees": folder}}.
      settings: as for `render`.

    Raises:
      BookError: a language failed; what is wrong has been said, once where it is the same in several languages.
    """
    errors = {code: book.built(f"{builder}-{code}.errors") for code in places}
    with waiting.stage(STAGES[builder], unit=_("languages")) as advance:
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
    say_once(errors.values())
    if failed := [code for code, process in running.items() if process.exitcode]:
        sentence = _("{builder} in {languages} failed: put right what is said above, and run again")
        raise BookError(sentence, builder=builder, languages=", ".join(failed))


def say_once(files):
    """Prints some files on stderr, of each only the lines that stand in none before, and removes them."""
    said = set()
    for path in files:
        lines = path.read_text(encoding="utf-8").splitlines()
        print(*(line + "\n" for line in lines if line not in said), sep="", end="", file=sys.stderr)
        said.update(lines)
        path.unlink()
