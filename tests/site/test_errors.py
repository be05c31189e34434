"""What goes wrong in the chapters, read from what they print and from their tables."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from ci.book import BookError, here
from ci.site import errors
from tests.conftest import in_depth

CHAPTER = "book/part/one"
BOOK = here()
MEANINGS = {"got None": ({"en": "A value is missing.", "ko": "값이 없습니다."}, "good = 2")}


def cell(source, text=""):
    return new_code_cell(source, outputs=[new_output("stream", text=text)] if text else [])


def errors_of(*cells):
    return errors.errors(CHAPTER, {CHAPTER: new_notebook(cells=list(cells))}, MEANINGS)


def test_the_list_has_a_meaning_in_each_language_and_one_repair(book):
    (book.root / "locale").mkdir()
    rows = "message,language,meaning,repair\ngot None,en,A value is missing.,good = 2\ngot None,ko,값이 없습니다.,\n"
    (book.root / "locale" / "errors.csv").write_text(rows, encoding="utf-8")
    assert errors.meanings(book) == MEANINGS


def test_an_error_has_its_section_its_meaning_and_its_repair():
    title = new_markdown_cell("# One\n\n## Bad `x`\n\nText.")
    [error] = errors_of(title, cell("bad", "first\nmine: TypeError - it got None here\n"), cell("good = 2"))
    assert error == ("TypeError", "it got None here", CHAPTER, "Bad `x`", (CHAPTER, 2, "Bad `x`"), *error[5:])
    assert error.meanings == MEANINGS["got None"][0]
    assert errors.anchor(error.section) == "bad-x"


def test_a_message_counts_once_and_a_name_without_message_not_at_all():
    twice = cell("bad", "TypeError: it got None here\nTypeError: it got None here\nTypeError\nno Error\n")
    assert len(errors_of(twice)) == 1


def test_an_error_without_a_meaning_is_refused():
    with pytest.raises(BookError, match="0 rows with a part of this error.*some other message"):
        errors_of(cell("bad", "ValueError: some other message\n"))


def test_tables_of_symptoms_are_found_by_their_heading():
    table = "| {} | cause | test |\n|---|---|---|\n| `nan` | a zero | look |\n"
    source = f"## When\n\n{table.format('What you see')}\n{table.format('a')}"
    found = errors.symptoms(CHAPTER, new_notebook(cells=[new_markdown_cell(source)]))
    assert found == [("`nan`", "a zero", CHAPTER, "When")]


def test_every_error_and_symptom_of_the_book_is_explained_in_every_language():
    chapters = {name: nbformat.read(BOOK.notebook(name, BOOK.source_language), 4) for name in BOOK.chapters}
    meanings = errors.meanings(BOOK)
    provoked = [error for name in chapters for error in errors.errors(name, chapters, meanings)]
    texts = "\n".join(error.text for error in provoked)
    assert [
        error for error in provoked if not all(error.meanings.get(code, "").strip() for code in BOOK.languages)
    ] == []
    assert [name for name in chapters if not in_depth(name) and len(errors.symptoms(name, chapters[name])) < 5] == []
    assert [message for message in meanings if message not in texts] == []
    repairs = {line for _texts, line in meanings.values() if line}
    assert [line for line in repairs if not errors.place_of(line, chapters, BOOK.chapters[0])] == []
