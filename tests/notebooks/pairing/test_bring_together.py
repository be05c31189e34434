import shutil

import jupytext
import nbformat
import pytest

from ci.book import BookError
from ci.notebooks import agree, make
from ci.notebooks.pairing import bring_together, pair

CHAPTER = "book/part/one"
EN, KO = "notebooks/en/part/one.ipynb", "notebooks/ko/part/one.ipynb"


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
    """Fails if a refresh is not refused, or changes anything; returns why it was refused."""

    def refused(*take):
        before = everything(book)
        with pytest.raises(BookError) as error:
            refresh(*take)
        assert everything(book) == before
        return str(error.value)

    return refused


def copies(book):
    return {book.relative(path): path.read_text() for path in (book.built() / "replaced").rglob("*.*")}


def test_a_refresh_without_edits_says_and_changes_nothing(book, files, refresh, capsys):
    before = everything(book)
    refresh()
    assert (everything(book), capsys.readouterr().out) == (before, "")


@pytest.mark.parametrize("which, other", [("chapter", "notebook"), ("notebook", "chapter")])
def test_the_edited_one_counts_whatever_the_times_say(files, edit, refresh, which, other, capsys):
    edit(files[which], "Some text.", "Other text.")
    files[other].touch()
    refresh()
    assert all("Other text." in path.read_text() for path in files.values())
    assert capsys.readouterr().out.endswith("; as it was: in the last commit\n")


def test_two_edits_are_refused_until_one_is_taken(book, files, edit, refresh, refused, capsys):
    edit(files["chapter"], "Some text.", "Other text.")
    edit(files["notebook"], "Some text.", "Third text.")
    assert f"{CHAPTER}.md and {EN} were both edited" in refused()
    refresh(EN)
    assert all("Third text." in path.read_text() for path in files.values())
    copy = f"_build/replaced/{CHAPTER}.1.md"
    assert capsys.readouterr().out == f"{CHAPTER}.md takes over the edits of {EN}; as it was: {copy}\n"
    assert "Other text." in copies(book)[copy]


def test_a_side_that_was_taken_stays_taken_when_the_execution_fails(book, files, edit, refresh):
    edit(files["chapter"], "Some text.", "Other text.")
    edit(files["notebook"], "Some text.", "Third text.")
    for _ in range(2):
        bring_together.bring_together(book, [f"{CHAPTER}.md"])
    refresh()
    assert all("Other text." in path.read_text() for path in files.values())
    assert list(copies(book)) == ["_build/replaced/notebooks/en/part/one.1.ipynb"]


def test_of_a_pair_one_file_is_taken_and_no_other_file(book, files, refused):
    assert "only one can count" in refused(EN, f"{CHAPTER}.md")
    assert f"--take {KO}: no chapter" in refused(KO)


def test_edits_of_one_side_follow_one_another(files, edit, refresh):
    for old, new in (("Some", "Other"), ("Other", "Third")):
        edit(files["chapter"], f"{old} text.", f"{new} text.")
        refresh()
    edit(files["notebook"], "Third text.", "Fourth text.")
    refresh()
    assert all("Fourth text." in path.read_text() for path in files.values())


@pytest.mark.parametrize("which", ["chapter", "notebook"])
def test_an_edit_that_git_put_back_can_be_made_again(files, edit, refresh, git, which):
    for _ in range(3):
        edit(files[which], "Some text.", "Other text.")
        refresh()
        assert all("Other text." in path.read_text() for path in files.values())
        assert git("checkout", "book", "notebooks")


def test_after_a_checkout_another_edit_is_no_conflict(files, edit, refresh, git):
    for text in ("Other text.", "Third text."):
        edit(files["notebook"], "Some text.", text)
        refresh()
        assert all(text in path.read_text() for path in files.values())
        assert git("checkout", "book", "notebooks")


def test_an_edit_after_stash_pop_is_no_conflict(files, edit, refresh, git):
    edit(files["chapter"], "Some text.", "Other text.")
    refresh()
    assert git("stash")
    refresh()
    assert git("stash", "pop")
    edit(files["notebook"], "Other text.", "Third text.")
    refresh()
    assert all("Third text." in path.read_text() for path in files.values())


def test_a_chapter_changed_back_changes_its_notebook_back_and_what_was_there_is_kept(book, files, edit, refresh):
    edit(files["chapter"], "Some text.", "Other text.")
    refresh()
    edit(files["chapter"], "Other text.", "Some text.")
    refresh()
    assert all("Some text." in path.read_text() for path in files.values())
    assert any("Other text." in text for text in copies(book).values())


def test_a_notebook_alone_put_back_undoes_no_chapter(files, edit, refresh, git, refused):
    edit(files["chapter"], "Some text.", "Other text.")
    refresh()
    assert git("checkout", EN)
    assert "stand at two different states of before" in refused()
    refresh(f"{CHAPTER}.md")
    assert all("Other text." in path.read_text() for path in files.values())


@pytest.mark.parametrize("which", ["chapter", "notebook"])
def test_without_what_was_built_the_last_commit_counts(book, files, edit, refresh, which):
    shutil.rmtree(book.built())
    edit(files[which], "Some text.", "Other text.")
    refresh()
    assert all("Other text." in path.read_text() for path in files.values())


@pytest.mark.parametrize("which", ["chapter", "notebook"])
def test_an_edit_that_was_committed_alone_is_taken_over_in_a_fresh_clone(book, files, edit, refresh, git, which):
    edit(files[which], "Some text.", "Other text.")
    assert git("commit", "-qam", "two")
    shutil.rmtree(book.built())
    refresh()
    assert all("Other text." in path.read_text() for path in files.values())


@pytest.mark.parametrize("known", ["nothing", "an unreadable note", "a note of an earlier version"])
def test_where_nothing_is_known_nothing_is_done(book, files, edit, refused, known):
    shutil.rmtree(book.root / ".git")
    shutil.rmtree(book.built())
    if known != "nothing":
        pair.state(book).parent.mkdir()
        pair.state(book).write_text("{" if "unreadable" in known else f'{{"{CHAPTER}": "0"}}')
    edit(files["notebook"], "Some text.", "Other text.")
    assert "nothing tells which one was edited" in refused()


def test_a_new_chapter_makes_its_notebook(book, refresh):
    refresh()
    assert nbformat.read(book.root / EN, as_version=4).cells


def test_an_unreadable_notebook_is_kept_and_made_again(book, files, refresh, capsys):
    broken = "<<<<<<< ours\n" + files["notebook"].read_text()
    files["notebook"].write_text(broken)
    refresh()
    assert nbformat.read(files["notebook"], as_version=4).cells
    assert copies(book) == {"_build/replaced/notebooks/en/part/one.1.ipynb": broken}
    assert "is not a notebook and is made again" in capsys.readouterr().out


def test_an_unreadable_notebook_cannot_be_taken(files, refused):
    files["notebook"].write_text("{}")
    assert "is not a notebook" in refused(EN)


def test_a_chapter_that_git_could_not_merge_is_refused(files, edit, refused):
    edit(files["chapter"], "Some text.", "<<<<<<< a\nSome text.\n=======\nOther text.\n>>>>>>> b")
    assert f"{CHAPTER}.md:15: two versions that git could not merge" in refused()


def test_a_notebook_edited_while_its_chapter_was_executed_is_not_overwritten(book, files, edit):
    bring_together.bring_together(book)
    edit(files["notebook"], "Some text.", "Other text.")
    with pytest.raises(BookError, match=f"{EN} was edited in the meantime"):
        make.write_all(book)
    assert "Other text." in files["notebook"].read_text()


def test_edits_of_two_branches_meet_in_both_languages(book, files, edit, refresh, git):
    edit(files["chapter"], "# One\n", "# One\n\nFirst.\n\nSecond.\n\nThird.\n")
    refresh()
    assert git("commit", "-qam", "two") and git("switch", "-qc", "branch")
    edit(files["notebook"], "First.", "First, on the branch.")
    refresh()
    assert git("commit", "-qam", "three") and git("switch", "-q", "main")
    edit(files["notebook"], "Third.", "Third, on main.")
    refresh()
    assert git("commit", "-qam", "four") and git("merge", "-q", "branch")
    before = everything(book)
    refresh()
    assert everything(book) == before
    for path in (*files.values(), book.root / KO):
        assert all(text in path.read_text() for text in ("First, on the branch.", "Third, on main."))


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
    files["chapter"].write_text(with_merged(files["chapter"].read_text(), "Some text of both."))
    refresh()
    assert all("Some text of both." in path.read_text() for path in (*files.values(), book.root / KO))


def with_merged(text, merged):
    """A chapter with `merged` in place of what git could not merge."""
    before, _, rest = text.partition("<<<<<<< ")
    return before + merged + "\n" + rest.partition(">>>>>>> ")[2].partition("\n")[2]


def test_what_the_header_says_makes_no_second_notebook(book, files, edit, refresh):
    edit(files["chapter"], "jupytext:\n", "orphan: true\njupytext:\n  formats: ipynb,md:myst\n")
    header = files["chapter"].read_text().partition("# One")[0]
    edit(files["notebook"], "Some text.", "Other text.")
    refresh()
    assert files["chapter"].read_text().startswith(header + "# One\n\nOther text.")
    assert [path.name for path in book.root.glob("book/**/*.*")].count("one.ipynb") == 0


def paired_exactly(files):
    stored = nbformat.read(files["notebook"], as_version=4)
    return list(agree.unpaired(jupytext.read(files["chapter"]), stored)) == []


def test_blanks_and_empty_cells_that_jupyter_left_are_taken_away(files, refresh):
    before = files["notebook"].read_bytes()
    notebook = nbformat.reads(before.decode(), as_version=4)
    notebook.cells[0].source += "  \n\n"
    notebook.cells.append(nbformat.v4.new_code_cell(""))
    nbformat.write(notebook, files["notebook"])
    refresh()
    assert files["notebook"].read_bytes() == before


def test_cells_can_be_moved_added_and_tagged_in_jupyter(files, refresh):
    notebook = nbformat.read(files["notebook"], as_version=4)
    text, first, second = notebook.cells
    first.metadata = nbformat.from_dict({"tags": ["hide-input"], "editable": True})
    notebook.cells = [second, text, nbformat.v4.new_markdown_cell("New.", id="new"), first]
    nbformat.write(notebook, files["notebook"])
    refresh()
    assert paired_exactly(files)
    after = nbformat.read(files["notebook"], as_version=4)
    assert [cell.id for cell in after.cells] == [second.id, text.id, "new", first.id]
    assert [cell.metadata for cell in after.cells] == [{}, {}, {}, {"tags": ["hide-input"]}]
    assert ":tags: [hide-input]\n\nx = 1 + 1" in files["chapter"].read_text()


def test_new_ids_of_cells_are_no_edit(files, refresh, capsys):
    notebook = nbformat.read(files["notebook"], as_version=4)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"id-{number}"
    nbformat.write(notebook, files["notebook"])
    before = files["chapter"].read_bytes()
    refresh()
    assert (files["chapter"].read_bytes(), capsys.readouterr().out) == (before, "")
    assert [cell.id for cell in nbformat.read(files["notebook"], as_version=4).cells] == ["id-0", "id-1", "id-2"]


def test_a_notebook_that_no_chapter_holds_is_refused_as_long_as_it_counts(files, edit, refresh, refused):
    edit(files["notebook"], "Some text.", "```")
    assert f"{EN}, the text before code cell 1: a chapter cannot hold this cell" in refused()
    refresh(f"{CHAPTER}.md")
    assert paired_exactly(files)


def test_of_many_copies_the_newest_stay(book, files, edit, refresh, monkeypatch):
    monkeypatch.setattr("ci.book.files.COPIES", 3)
    for number in range(6):
        edit(files["chapter"], "Some text.", f"Some text. {number}")
        refresh()
    assert sorted(copies(book)) == [f"_build/replaced/notebooks/en/part/one.{number}.ipynb" for number in (3, 4, 5)]
