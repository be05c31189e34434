import subprocess

import jupytext
import nbformat
import pytest

from ci.book import BookError
from ci.notebooks import pair

CHAPTER = "book/part/one"


@pytest.fixture
def paired(book):
    """The small book with a notebook that agrees with its chapter."""
    path = book.notebook(CHAPTER, "en")
    path.parent.mkdir(parents=True)
    nbformat.write(jupytext.read(book.source(CHAPTER)), path)
    pair.remember(book)
    return book


def test_a_pair_that_agrees_needs_nothing(paired):
    assert pair.edited(paired, CHAPTER) is None


@pytest.mark.parametrize("which", ["source", "notebook"])
def test_the_edited_one_is_found_whatever_the_times_say(paired, edit, which):
    paths = {"source": paired.source(CHAPTER), "notebook": paired.notebook(CHAPTER, "en")}
    edit(paths.pop(which), "Some text.", "Other text.")
    (other,) = paths.values()
    other.touch()
    assert pair.edited(paired, CHAPTER) == (
        paired.source(CHAPTER) if which == "source" else paired.notebook(CHAPTER, "en")
    )


def test_two_edits_are_refused(paired, edit):
    edit(paired.source(CHAPTER), "Some text.", "Other text.")
    edit(paired.notebook(CHAPTER, "en"), "Some text.", "Third text.")
    with pytest.raises(BookError, match=r"book/part/one\.md and notebooks/en/part/one\.ipynb were both edited"):
        pair.edited(paired, CHAPTER)


def test_a_second_edit_of_the_same_file_is_no_conflict(paired, edit):
    for old, new in (("Some text.", "Other text."), ("Other text.", "Third text.")):
        edit(paired.source(CHAPTER), old, new)
        assert pair.edited(paired, CHAPTER) == paired.source(CHAPTER)
        nbformat.write(jupytext.read(paired.source(CHAPTER)), paired.notebook(CHAPTER, "en"))
        pair.remember(paired)


def test_in_a_fresh_clone_the_last_commit_counts(paired, edit):
    pair.state(paired).unlink()
    for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=b", "commit", "-qm", "c"]):
        subprocess.run(["git", *command], cwd=paired.root, check=True)
    edit(paired.notebook(CHAPTER, "en"), "Some text.", "Other text.")
    assert pair.edited(paired, CHAPTER) == paired.notebook(CHAPTER, "en")


def test_a_new_chapter_makes_its_notebook(book):
    assert pair.edited(book, CHAPTER) == book.source(CHAPTER)
