import nbformat
import pytest

from ci.book import BookError
from ci.execution.cache import code_cells
from ci.notebooks import make, pairing

CHAPTER = "book/part/one"


@pytest.fixture
def refresh(book, kernels, execute):
    """Pairs, executes and writes all notebooks; returns {path: bytes}."""

    def refresh():
        pairing.bring_together(book)
        execute()
        make.write_all(book)
        return {path: path.read_bytes() for path in (book.root / "notebooks").rglob("*.ipynb")}

    return refresh


def test_prose_and_translation_reach_the_notebooks_and_cell_ids_stay(book, refresh, catalogue, edit):
    before = refresh()
    ids = [cell.id for cell in nbformat.read(book.notebook(CHAPTER, "en"), as_version=4).cells]
    edit(book.source(CHAPTER), "Some text.", "Other text.")
    catalogue(book.catalogue(CHAPTER, "ko"), {"Other text.": "다른 글."})
    assert refresh() != before
    korean = nbformat.read(book.notebook(CHAPTER, "ko"), as_version=4)
    assert "다른 글." in korean.cells[0].source
    assert [cell.id for cell in korean.cells] == ids


@pytest.mark.parametrize("second, expected", [("2", "loss 0.501"), ("3", "loss 0.500")])
def test_outputs_stay_within_their_tolerance_and_one_that_differs_makes_all_new(
    book, kernels, refresh, edit, second, expected
):
    kernels.printed = "loss 0.500\n"
    edit(book.source(CHAPTER), "x = 1 + 1\n", ":tolerance: 1%\n\nx = 1 + 1\n")
    refresh()
    path = book.notebook(CHAPTER, "en")
    edit(path, "loss 0.500", "loss 0.501")
    edit(path, '"2"', f'"{second}"')
    refresh()
    loss, two = code_cells(nbformat.read(path, as_version=4))
    assert (loss.outputs[0].text, two.outputs[0].data["text/plain"]) == (f"{expected}\n", "2")


def test_a_translated_notebook_that_git_could_not_merge_is_written_again(book, refresh, edit, capsys):
    refresh()
    path = book.notebook(CHAPTER, "ko")
    before = path.read_bytes()
    edit(path, '"cells"', '<<<<<<< ours\n"cells"')
    make.write_all(book)
    assert path.read_bytes() == before
    assert "(was not a notebook)" in capsys.readouterr().out


def test_code_that_was_not_executed_is_an_error(book, refresh, edit):
    refresh()
    edit(book.source(CHAPTER), "x = 1 + 1", "x = 2")
    with pytest.raises(BookError, match="has changed since it was executed"):
        list(make.all_notebooks(book))


def test_translations_from_stored_outputs_leave_the_notebook_of_the_source_alone(book, refresh, edit):
    before = refresh()
    edit(book.source(CHAPTER), "Some text.", "Other text.")
    make.write_translated(book)
    assert "Other text." in nbformat.read(book.notebook(CHAPTER, "ko"), as_version=4).cells[0].source
    english = book.notebook(CHAPTER, "en")
    assert english.read_bytes() == before[english]


def test_a_translated_notebook_that_was_edited_by_hand_is_kept_and_named(book, refresh, edit, capsys):
    refresh()
    edit(book.notebook(CHAPTER, "ko"), "Some text.", "손으로 고친 글.")
    capsys.readouterr()
    make.write_all(book)
    copy = "_build/replaced/notebooks/ko/part/one.1.ipynb"
    assert capsys.readouterr().out.startswith(
        f"written: notebooks/ko/part/one.ipynb (the text before code cell 1: source); as it was: {copy} (translations "
    )
    assert "손으로 고친 글." in (book.root / copy).read_text(encoding="utf-8")


def test_a_check_names_what_would_be_written_fails_and_writes_nothing(book, refresh, edit, capsys):
    refresh()
    make.check(book)
    path = book.notebook(CHAPTER, "ko")
    edit(path, "Some text.", "Old text.")
    before = path.read_bytes()
    with pytest.raises(BookError, match=r"run \./ci/book\.sh refresh and commit what it writes"):
        make.check(book)
    assert path.read_bytes() == before
    assert "out of date: notebooks/ko/part/one.ipynb (the text before code cell 1: " in capsys.readouterr().out
