"""A notebook as JupyterLab saves it: the small book's, one sentence changed, its cells run, outputs folded."""

import subprocess
from pathlib import Path

import nbformat
import pytest

from ci.book import git as git_history

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


def changed_lines(book):
    """{file: how many of its lines were added or changed since the last commit}"""
    shown = subprocess.run(["git", "diff", "--numstat"], cwd=book.root, capture_output=True, text=True)
    return {line.split("\t")[2]: int(line.split("\t")[0]) for line in shown.stdout.splitlines()}


def test_one_sentence_is_one_line_in_each_file(saved, refresh):
    refresh()
    assert changed_lines(saved) == {
        f"{CHAPTER}.md": 1,
        "notebooks/en/part/one.ipynb": 1,
        "notebooks/ko/part/one.ipynb": 1,
    }


def test_a_save_without_an_edit_changes_nothing(saved, edit, refresh, capsys):
    edit(saved.notebook(CHAPTER, "en"), ADDED, "")
    refresh()
    assert (changed_lines(saved), capsys.readouterr().out) == ({}, "")


def test_outputs_that_jupyter_wrote_another_way_stay_as_committed(saved, edit, refresh):
    edit(saved.notebook(CHAPTER, "en"), ADDED, "")
    notebook = nbformat.read(saved.notebook(CHAPTER, "en"), as_version=4)
    committed = nbformat.reads(git_history.committed(saved, saved.notebook(CHAPTER, "en")), as_version=4)
    for cell, other in zip(notebook.cells[1:], committed.cells[1:], strict=True):
        cell.outputs = [nbformat.from_dict(output) for output in other.outputs]
        cell.outputs[0].text = cell.outputs[0].text.replace("0.5 s", "0.50000001 s")
    nbformat.write(notebook, saved.notebook(CHAPTER, "en"))
    refresh()
    assert changed_lines(saved) == {}
