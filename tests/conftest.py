"""A small book to try the machinery on."""

import asyncio
import os
import signal
import socket
import subprocess
import threading
from contextlib import contextmanager

import pytest
from sphinx.testing.util import SphinxTestApp
from starlette.staticfiles import StaticFiles

from ci.book import Book, here, lock
from ci.catalogues.po import CONTENT_TYPE
from ci.execution import cache, run
from ci.site import browser, extension
from tests.execution.kernels import Kernels

# The lines of the real `_config.yml` around what other books copy.
ABOVE = "# The settings of every book that `ci/` makes.\n"
BELOW = "    # Facts of this book again.\n"


def settings_of_every_book():
    """The part of the real `_config.yml` that other books copy."""
    lines = (here().root / "_config.yml").read_text(encoding="utf-8").splitlines(keepends=True)
    first, last = (lines.index(line) for line in (ABOVE, BELOW))
    return "".join(lines[first:last])


CONFIG = f"""\
title: A small book
author: Somebody
repository: {{url: https://github.com/example/small, branch: main}}
helper: flaxbook
variables: [FLAXBOOK_DATASET]
packages: {{jax: JAX, flax: Flax, optax: Optax}}
languages:
  en: English
  ko: 한국어

{settings_of_every_book().replace("timeout: 300", "timeout: 60")}
"""

TOC = """\
format: jb-book
root: book/index
parts:
  - caption: Part one
    chapters:
      - file: book/part/one
"""

CHAPTER = """\
---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
    format_version: 0.13
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

# One

Some text.

```{code-cell}
x = 1 + 1
print("two is", x)
```

```{code-cell}
x
```
"""

HEAD_OF_CELLS = """\
---
file_format: mystnb
kernelspec: {display_name: Python 3, language: python, name: python3}
---

"""

SETTINGS = {"extensions": ["myst_nb"], "exclude_patterns": ["_build", "book"], "nb_execution_mode": "off"}


def pytest_configure():
    """Makes tests independent of how they are started.

    A hook of git names its repository in the environment: tests with a repository of their own would commit to that
    one. A shell that runs a command in the background lets it ignore Ctrl-C, and so all that it starts.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    done = subprocess.run(["git", "rev-parse", "--local-env-vars"], capture_output=True, text=True, check=False)
    for name in done.stdout.split():
        os.environ.pop(name, None)


@pytest.fixture
def book(tmp_path):
    """A book of a front page and one chapter with two cells, in two languages, without catalogues."""
    (tmp_path / "_config.yml").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "_toc.yml").write_text(TOC, encoding="utf-8")
    (tmp_path / "requirements.txt").write_text("jax==0\n", encoding="utf-8")
    (tmp_path / "flaxbook").mkdir()
    (tmp_path / "flaxbook" / "data.py").write_text("VERSION = 1\n", encoding="utf-8")
    (tmp_path / "book" / "part").mkdir(parents=True)
    (tmp_path / "book" / "index.md").write_text("# A small book\n", encoding="utf-8")
    (tmp_path / "book" / "part" / "one.md").write_text(CHAPTER, encoding="utf-8")
    return Book(tmp_path)


@pytest.fixture
def git(book):
    """Runs git in the small book, which it makes a repository; returns whether git was content."""

    def git(*arguments):
        person = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.editor=true"]
        return subprocess.run(["git", *person, *arguments], cwd=book.root, capture_output=True).returncode == 0

    (book.root / ".gitignore").write_text("/_build/\n", encoding="utf-8")
    assert git("init", "-q", "-b", "main")
    return git


@pytest.fixture
def conf(book):
    """Writes conf.py with some components of the extension, by their names, and some settings of Sphinx."""

    def conf(*components, **settings):
        lines = [f"{name} = {value!r}" for name, value in (SETTINGS | settings).items()]
        lines += ["", "def setup(app):", "    from ci.site import extension", "    extension.share_book(app)"]
        known = [component.__name__ for component in extension.COMPONENTS]
        modules = [module for name in components for module in known if module.endswith(f".{name}")]
        lines += [f"    app.setup_extension({module!r})" for module in modules]
        (book.root / "conf.py").write_text("\n".join(lines) + "\n", encoding="utf-8")

    return conf


@pytest.fixture
def build(book):
    """Builds pages, {name: MyST}, with Sphinx in this process; returns (the application, its output folder)."""

    def build(pages, builder="html", **settings):
        for name, text in pages.items():
            (book.root / f"{name}.md").write_text(HEAD_OF_CELLS + text, encoding="utf-8")
        app = SphinxTestApp(builder, srcdir=book.root, confoverrides=settings)
        try:
            app.build(force_all=True)
        finally:
            app.cleanup()
        return app, app.outdir

    return build


@pytest.fixture
def clean_environment():
    """The environment without what a running command of the book has put into it, for commands of their own."""
    return {key: value for key, value in os.environ.items() if key not in ("PYTHON", lock.HELD, "FLAXBOOK_LANG")}


@pytest.fixture
def catalogue():
    """Writes a catalogue; returns its path."""

    def catalogue(path, entries="", headers=None):
        """The entries are {message: translation}, or text from the fourth line of the file on, plus one a header."""
        values = {"Content-Type": CONTENT_TYPE} | (headers or {})
        head = "\n".join(f'"{name}: {value}\\n"' for name, value in values.items())
        if isinstance(entries, dict):
            entries = "\n".join(f'msgid "{message}"\nmsgstr "{text}"\n' for message, text in entries.items())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'msgid ""\nmsgstr {head}\n\n{entries}', encoding="utf-8")
        return path

    return catalogue


def in_depth(name):
    """Return whether a chapter is not a tutorial, but read for more about one."""
    return name.endswith("_in_depth")


@contextmanager
def served(folder):
    """Serve a folder on a free port; yield the URL."""
    running, place = browser.server(StaticFiles(directory=folder, html=True)), socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=running.run, args=([place],))
    thread.start()
    try:
        yield f"http://127.0.0.1:{place.getsockname()[1]}"
    finally:
        running.should_exit = True
        thread.join()


@pytest.fixture
def kernels(monkeypatch):
    """Lets chapters be "executed" without a kernel."""
    kernels = Kernels()
    monkeypatch.setattr("ci.execution.kernel.run", kernels.run)
    return kernels


class NoBars:
    def start(self, name, cells):
        return lambda: None


@pytest.fixture
def execute(book):
    """Executes the small book as the build does; returns a `Result` for each chapter."""

    def execute(at_a_time=2, anew=False, **options):
        kept = cache.executed(book)
        kept.prepare()
        known = {} if anew else run.in_cache(kept, book.chapters)
        return asyncio.run(run.execute_all(book, book.chapters, known, NoBars(), at_a_time, **options))

    return execute


@pytest.fixture
def edit():
    """Replaces text in a file; fails if the text is not there."""

    def edit(path, old, new):
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    return edit
