import asyncio

import nbformat
import pytest
from test_execute import NoBars

from ci.book import BookError
from ci.execution import run as execute
from ci.notebooks import make as notebooks
from ci.notebooks import pair

CHAPTER = "book/part/one"


def refresh(book):
    """Executes and writes all notebooks; returns {path: bytes}."""
    execute.cache_path(book).mkdir(parents=True, exist_ok=True)
    asyncio.run(execute.execute_all(book, book.chapters, NoBars(), 2))
    for path, text in notebooks.all_notebooks(book):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return {path: path.read_bytes() for path in (book.root / "notebooks").rglob("*.ipynb")}


def translate(book, **entries):
    path = book.catalogue(CHAPTER, "ko")
    path.parent.mkdir(parents=True, exist_ok=True)
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
    path.write_text(head + "".join(f'\nmsgid "{a}"\nmsgstr "{b}"\n' for a, b in entries.items()), encoding="utf-8")


def test_notebooks_of_all_languages_share_code_and_outputs(book):
    translate(book, One="하나")
    refresh(book)
    english, korean = (nbformat.read(book.notebook(CHAPTER, code), as_version=4) for code in ("en", "ko"))
    assert english.cells[0].source.startswith("# One\n")
    assert korean.cells[0].source.startswith("# 하나\n")
    assert execute.code_cells(english) == execute.code_cells(korean)
    assert [cell.execution_count for cell in execute.code_cells(english)] == [1, 2]
    assert execute.code_cells(english)[1].outputs[0].execution_count == 2


def test_a_refresh_without_change_leaves_every_byte(book):
    before = refresh(book)
    assert refresh(book) == before


def test_prose_and_translation_reach_the_notebooks_and_cell_ids_stay(book, edit):
    before = refresh(book)
    ids = [cell.id for cell in nbformat.read(book.notebook(CHAPTER, "en"), as_version=4).cells]
    edit(book.source(CHAPTER), "Some text.", "Other text.")
    translate(book, **{"Other text.": "다른 글."})
    assert refresh(book) != before
    korean = nbformat.read(book.notebook(CHAPTER, "ko"), as_version=4)
    assert "다른 글." in korean.cells[0].source
    assert [cell.id for cell in korean.cells] == ids


def test_a_changed_output_is_written_and_only_that(book, edit):
    refresh(book)
    path = book.notebook(CHAPTER, "en")
    original = path.read_text(encoding="utf-8")
    edit(path, "two is 2", "two is 3")
    refresh(book)
    assert path.read_text(encoding="utf-8") == original


def test_cells_with_the_same_code_keep_their_own_outputs(book, edit):
    edit(book.source(CHAPTER), "```{code-cell}\nx\n```", "```{code-cell}\nx\n```\n\n```{code-cell}\nx\n```")
    refresh(book)
    before = refresh(book)
    cells = execute.code_cells(nbformat.read(book.notebook(CHAPTER, "en"), as_version=4))
    assert [cell.outputs[0].get("execution_count") for cell in cells] == [None, 2, 3]
    assert refresh(book) == before


def test_a_notebook_that_was_cut_off_is_made_again(book):
    refresh(book)
    path = book.notebook(CHAPTER, "en")
    path.write_text(path.read_text(encoding="utf-8")[:100], encoding="utf-8")
    notebooks.discard_broken(book)
    assert not path.exists()
    refresh(book)
    assert nbformat.read(path, as_version=4).cells


def test_code_that_was_not_executed_is_an_error(book, edit):
    refresh(book)
    edit(book.source(CHAPTER), "x = 1 + 1", "x = 2")
    with pytest.raises(BookError, match="has changed since it was executed"):
        list(notebooks.all_notebooks(book))


def test_translations_from_stored_outputs_leave_an_edited_chapter_known_as_edited(book, edit, monkeypatch):
    refresh(book)
    pair.remember(book)
    edit(book.source(CHAPTER), "Some text.", "Other text.")
    monkeypatch.setattr(notebooks, "here", lambda: book)
    monkeypatch.setattr("sys.argv", ["", "--stored"])
    notebooks.main()
    assert "Other text." in nbformat.read(book.notebook(CHAPTER, "ko"), as_version=4).cells[0].source
    assert pair.edited(book, CHAPTER) == book.source(CHAPTER)
