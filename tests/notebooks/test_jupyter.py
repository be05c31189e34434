"""A notebook as JupyterLab saves it: the small book's, one sentence changed, its cells run, outputs folded."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from ci.book import here

CHAPTER = "book/part/one"
SAVED = Path(__file__).parent / "saved" / "one-saved-by-jupyterlab.ipynb"
ADDED = " And more."


@pytest.fixture
def saved(book, git, refresh, edit):
    """The small book, committed as it was before, with its notebook as JupyterLab has saved it."""
    path = book.notebook(CHAPTER, "en")
    path.parent.mkdir(parents=True)
    path.write_text(SAVED.read_text())
    edit(path, ADDED, "")
    refresh()
    assert git("add", "-A") and git("commit", "-qm", "one")
    path.write_text(SAVED.read_text())
    return book


def sync(book, newer):
    """Writes the other file of the pair as Jupyter with jupytext does, with the settings of this repository."""
    shutil.copy(here().root / "pyproject.toml", book.root)
    files = {"chapter": book.source(CHAPTER), "notebook": book.notebook(CHAPTER, "en")}
    for side, file in files.items():
        os.utime(file, (2, 2) if side == newer else (1, 1))
    subprocess.run([sys.executable, "-m", "jupytext", "--quiet", "--sync", files[newer]], check=True)


def changed_lines(book):
    """{file: how many of its lines were added or changed since the last commit}"""
    shown = subprocess.run(["git", "diff", "--numstat"], cwd=book.root, capture_output=True, text=True)
    return {line.split("\t")[2]: int(line.split("\t")[0]) for line in shown.stdout.splitlines()}


@pytest.mark.parametrize("paired", [True, False])
def test_one_sentence_is_one_line_in_each_file_whether_jupyter_pairs_them_or_not(saved, refresh, paired, capsys):
    if paired:
        sync(saved, "notebook")
    refresh()
    names = [f"{CHAPTER}.md", "notebooks/en/part/one.ipynb", "notebooks/ko/part/one.ipynb"]
    assert changed_lines(saved) == dict.fromkeys(names, 1)
    assert ("takes over" in capsys.readouterr().out) != paired


def test_a_chapter_saved_in_jupyter_reaches_its_notebook_with_tags_and_descriptions(saved, refresh, edit, capsys):
    saved.notebook(CHAPTER, "en").write_text(SAVED.read_text().replace(ADDED, ""))
    cell = '```{code-cell}\n:tags: [hide-cell]\n:mystnb: {image: {alt: "A line."}}\n\nx\n'
    edit(saved.source(CHAPTER), "```{code-cell}\nx\n", cell)
    sync(saved, "chapter")
    last = nbformat.read(saved.notebook(CHAPTER, "en"), as_version=4).cells[-1]
    assert (last.metadata["tags"], last.metadata["mystnb"]) == (["hide-cell"], {"image": {"alt": "A line."}})
    refresh()
    assert "takes over" not in capsys.readouterr().out


@pytest.mark.parametrize("paired", [True, False])
def test_a_save_without_an_edit_changes_nothing(saved, edit, refresh, paired, capsys):
    edit(saved.notebook(CHAPTER, "en"), ADDED, "")
    if paired:
        sync(saved, "notebook")
    refresh()
    assert (changed_lines(saved), capsys.readouterr().out) == ({}, "")
