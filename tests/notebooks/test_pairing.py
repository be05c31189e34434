"""A chapter and its notebook follow each other's edits, and where it is not certain which counts, nothing changes."""

import shutil

import nbformat
import pytest

from ci.book import BookError
from ci.notebooks import chapter_text, make, pairing

CHAPTER = "book/part/one"
EN, KO = "notebooks/en/part/one.ipynb", "notebooks/ko/part/one.ipynb"
DISAGREE = f"{CHAPTER}.md and {EN} disagree, and the last commit does not tell which of them to take"

both = pytest.mark.parametrize("which", ["chapter", "notebook"])


@pytest.fixture
def files(book, git, refresh):
    """The small book with notebooks that agree with its chapter, committed; returns {name: path}."""
    refresh()
    assert git("add", "-A") and git("commit", "-qm", "one")
    return {"chapter": book.source(CHAPTER), "notebook": book.root / EN}


def everything(book):
    """{path: bytes} of all that is in the repository."""
    kept = (book.root / "book", book.root / "notebooks")
    return {path: path.read_bytes() for folder in kept for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def refused(book, refresh):
    """Fails if a refresh is not refused, or changes anything; returns why it was refused, in one line."""

    def refused(*take):
        before = everything(book)
        with pytest.raises(BookError) as error:
            refresh(*take)
        assert everything(book) == before
        assert "\n" not in str(error.value)
        return str(error.value)

    return refused


def both_say(files, text):
    return all(text in path.read_text() for path in files.values())


@pytest.mark.parametrize("which, other", [("chapter", "notebook"), ("notebook", "chapter")])
def test_the_edited_file_counts_whatever_the_times_say(files, edit, refresh, which, other, capsys):
    edit(files[which], "Some text.", "Other text.")
    files[other].touch()
    refresh()
    assert both_say(files, "Other text.")
    assert capsys.readouterr().out.endswith("; as it was: in the last commit\n")


def test_two_edits_are_refused_until_one_is_taken(book, files, edit, refresh, refused, capsys):
    edit(files["chapter"], "Some text.", "Other text.")
    edit(files["notebook"], "Some text.", "Third text.")
    assert refused().startswith(DISAGREE)
    refresh(EN)
    assert both_say(files, "Third text.")
    copy = f"_build/replaced/{CHAPTER}.1.md"
    assert capsys.readouterr().out == f"{CHAPTER}.md takes over the edits of {EN}; as it was: {copy}\n"
    assert "Other text." in (book.root / copy).read_text()


def test_of_a_pair_one_file_is_taken_and_no_other_file(files, refused):
    assert "only one can count" in refused(EN, f"{CHAPTER}.md")
    assert f"--take {KO}: no chapter" in refused(KO)


@both
def test_in_a_fresh_clone_the_last_commit_counts(book, files, edit, refresh, which):
    shutil.rmtree(book.built())
    edit(files[which], "Some text.", "Other text.")
    refresh()
    assert both_say(files, "Other text.")


@pytest.mark.parametrize("memory", [None, "{", f'{{"{CHAPTER}": {{"states": []}}}}'])
def test_without_git_and_memory_nothing_is_done(book, files, edit, refused, memory):
    shutil.rmtree(book.root / ".git")
    shutil.rmtree(book.built())
    if memory:
        book.built().mkdir()
        book.built(pairing.MEMORY).write_text(memory)
    edit(files["notebook"], "Some text.", "Other text.")
    assert refused().startswith(DISAGREE)


@pytest.mark.parametrize(
    "text, reason",
    [
        ("<<<<<<< ours\n{}", "git could not merge two versions"),
        ('{"nbformat": 4, "cells": [1]}', "cell 1 has the type 1"),
        ("\ud800", "it is no JSON with cells"),
    ],
)
def test_an_unreadable_notebook_is_refused_until_its_chapter_is_taken_and_then_kept(
    book, files, refresh, refused, capsys, text, reason
):
    broken = text.encode(errors="surrogatepass")
    files["notebook"].write_bytes(broken)
    for take in ((), (EN,)):
        assert refused(*take).startswith(f"{EN} cannot be read: {reason}")
    assert f"refresh --take {CHAPTER}.md" in refused()
    refresh(f"{CHAPTER}.md")
    assert nbformat.read(files["notebook"], as_version=4).cells
    assert (book.root / "_build/replaced/notebooks/en/part/one.1.ipynb").read_bytes() == broken
    assert "is not a notebook and is made again" in capsys.readouterr().out


def test_a_notebook_edited_while_its_chapter_was_executed_is_not_overwritten(book, files, edit):
    pairing.bring_together(book)
    edit(files["notebook"], "Some text.", "Other text.")
    with pytest.raises(BookError, match=f"{CHAPTER}.md and {EN} differ"):
        make.write_all(book)
    assert "Other text." in files["notebook"].read_text()


def test_a_notebook_that_git_could_not_merge_is_made_from_the_merged_chapter(book, files, edit, refresh, git):
    assert git("switch", "-qc", "branch")
    edit(files["notebook"], "Some text.", "Some text of the branch.")
    refresh()
    assert git("commit", "-qam", "two") and git("switch", "-q", "main")
    edit(files["notebook"], "Some text.", "Some text of main.")
    refresh()
    assert git("commit", "-qam", "three") and not git("merge", "-q", "branch")
    with pytest.raises(BookError, match="could not merge"):
        refresh()
    before, _, rest = files["chapter"].read_text().partition("<<<<<<< ")
    files["chapter"].write_text(f"{before}Some text of both.{rest.partition('>>>>>>> branch')[2]}")
    refresh(f"{CHAPTER}.md")
    assert all("Some text of both." in path.read_text() for path in (*files.values(), book.root / KO))


def test_the_header_of_the_chapter_stays_and_pairs_with_nothing_else(book, files, edit, refresh):
    edit(files["chapter"], "jupytext:\n", "orphan: true\njupytext:\n  formats: ipynb,md:myst\n")
    header = files["chapter"].read_text().partition("# One")[0]
    edit(files["notebook"], "Some text.", "Other text.")
    refresh()
    assert files["chapter"].read_text().startswith(header + "# One\n\nOther text.")
    assert list(book.root.glob("book/**/*.ipynb")) == []


def test_outputs_of_unchanged_code_stay_until_the_chapter_is_executed(book, files, edit):
    edit(files["chapter"], "```{code-cell}\nx\n", "```{code-cell}\nx + 1\n")
    pairing.bring_together(book)
    first, second = nbformat.read(files["notebook"], as_version=4).cells[1:]
    assert (len(first.outputs), second.source, second.outputs) == (1, "x + 1", [])


def test_cells_can_be_moved_added_and_tagged_in_the_notebook(files, refresh):
    notebook = nbformat.read(files["notebook"], as_version=4)
    text, first, second = notebook.cells
    first.metadata = nbformat.from_dict({"tags": ["hide-input"], "editable": True})
    notebook.cells = [second, text, nbformat.v4.new_markdown_cell("New.", id="new"), first]
    nbformat.write(notebook, files["notebook"])
    refresh()
    after = nbformat.read(files["notebook"], as_version=4)
    assert chapter_text.content(chapter_text.read(files["chapter"].read_text())) == chapter_text.content(after)
    assert [cell.id for cell in after.cells] == [second.id, text.id, "new", first.id]
    assert [cell.metadata for cell in after.cells] == [{}, {}, {}, {"tags": ["hide-input"]}]
    assert ":tags: [hide-input]\n\nx = 1 + 1" in files["chapter"].read_text()


def test_a_notebook_that_no_chapter_holds_is_refused_as_long_as_it_counts(files, edit, refresh, refused):
    edit(files["notebook"], "Some text.", "```")
    assert f"{EN}, the text before code cell 1: a chapter cannot hold this cell" in refused()
    refresh(f"{CHAPTER}.md")
    assert both_say(files, "Some text.")
