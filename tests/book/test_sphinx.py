"""Rendering several languages side by side."""

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ci.book import Book, BookError, here, sphinx
from ci.execution.cache import cache_path

VERSION = re.compile(r"site\.css\?v=\w+")


@pytest.fixture
def places(book, monkeypatch):
    """Two languages to be rendered, without Sphinx."""
    book.built().mkdir()
    monkeypatch.setattr(sphinx, "warm_up", lambda book: None)
    return {code: {"output": book.built(code), "doctrees": book.built(code, "doctrees")} for code in book.languages}


@pytest.mark.parametrize("failing, named", [({"ko"}, "ko"), ({"en", "ko"}, "en, ko")])
def test_the_languages_that_failed_are_named(book, places, monkeypatch, capsys, failing, named):
    def render(book, builder, language, **settings):
        print("the same in both\nonly in", language, file=sys.stderr)
        return language not in failing

    monkeypatch.setattr(sphinx, "render", render)
    with pytest.raises(BookError, match=f"^html in {named} failed: repair the errors above"):
        sphinx.render_all(book, "html", places)
    assert capsys.readouterr().err == "rendering\nthe same in both\nonly in en\nonly in ko\n"


def test_a_full_disk_is_said_alone(book, places, monkeypatch, capsys):
    monkeypatch.setattr(sphinx, "render", lambda *arguments, **settings: print("No space", file=sys.stderr))
    monkeypatch.setattr(sphinx, "disk_usage", lambda folder: shutil.disk_usage(folder)._replace(free=0))
    with pytest.raises(OSError, match="the disk is full"):
        sphinx.render_all(book, "html", places)
    assert "No space" not in capsys.readouterr().err


def test_ctrl_c_stops_every_rendering(book, places, monkeypatch):
    fork, running = sphinx.fork, []

    def interrupted(_timeout=None):
        del running[0].join
        raise KeyboardInterrupt

    def noting_fork(*arguments, **settings):
        running.append(fork(*arguments, **settings))
        running[0].join = interrupted
        return running[-1]

    monkeypatch.setattr(sphinx, "fork", noting_fork)
    monkeypatch.setattr(sphinx, "render", lambda *arguments, **settings: signal.pause())
    with pytest.raises(KeyboardInterrupt):
        sphinx.render_all(book, "html", places)
    assert [process.exitcode for process in running] == [-signal.SIGTERM, -signal.SIGTERM]


def test_what_jupyter_book_cannot_use_is_said(book, edit):
    edit(book.root / "_config.yml", "execute_notebooks: cache", "execute_notebooks: twice")
    with pytest.raises(BookError, match=r"^_config\.yml: .*execute_notebooks"):
        sphinx.warm_up(Book(book.root))


@pytest.mark.parametrize("settings", [{}, {"strict": False}], ids=["strict", "not strict"])
def test_a_dead_reference_fails_a_strict_rendering_and_every_one_is_said(book, tmp_path, settings):
    text = "# Index\n\n[one](nowhere.md), {py:class}`elsewhere`\n"
    book.source("book/index").write_text(text, encoding="utf-8")
    errors, output = tmp_path / "errors", book.built("html")
    output.mkdir(parents=True)
    places = {"cache": book.built("cache"), "output": output, "doctrees": book.built("doctrees")}
    rendering = sphinx.fork(book, "html", "en", errors=errors, **places, **settings, nb_execution_mode="off")
    rendering.join()
    assert bool(rendering.exitcode) == (settings == {})
    if not settings:
        said = errors.read_text(encoding="utf-8")
        assert "nowhere" in said and "elsewhere" in said


def test_jupyter_book_makes_the_same_pages_with_the_executed_outputs(book, kernels, execute, clean_environment):
    execute()
    (book.root / "ci").symlink_to(here().root / "ci")
    program = [Path(sys.executable).with_name("jupyter-book"), "build", "-W", "."]
    alone = {name: value for name, value in clean_environment.items() if name != "PYTHONPATH"}
    done = subprocess.run(program, cwd=book.root, env=alone, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    ours = book.built("ours")
    rendering = sphinx.fork(book, "html", "en", cache=cache_path(book), output=ours, doctrees=book.built("doctrees"))
    rendering.join()
    assert rendering.exitcode == 0
    for name in book.pages:
        one, other = ((folder / f"{name}.html").read_text() for folder in (ours, book.built("html")))
        # The version of the stylesheet has rules of what this process has rendered before.
        assert VERSION.sub("", one) == VERSION.sub("", other)
    assert "two is 2" in other
