"""What goes wrong in the chapters: out of what they print, and of their tables."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from ci.book import BookError, here
from ci.execution.cache import read
from ci.site import troubles
from tests.conftest import HEAD_OF_CELLS

ERRORS = """\
message,language,meaning,repair
got None,en,A value is missing.,good = 2
got None,ko,값이 없습니다.,
"""


def cell(source, text=""):
    return new_code_cell(source, outputs=[new_output("stream", text=text)] if text else [])


@pytest.fixture
def errors(book):
    """Returns the errors of a notebook that is the book's only chapter."""
    (book.root / "locale").mkdir(exist_ok=True)
    (book.root / "locale" / "errors.csv").write_text(ERRORS, encoding="utf-8")
    chapter = f"{HEAD_OF_CELLS}# One\n\n```{{code-cell}}\nbad\n```\n\n```{{code-cell}}\ngood = 2\n```\n"
    book.source("book/part/one").write_text(chapter, encoding="utf-8")

    def errors(*cells):
        return troubles.errors(book, "book/part/one", new_notebook(cells=list(cells)))

    return errors


def test_an_error_is_found_with_its_section_its_meaning_and_its_repair(errors):
    title = new_markdown_cell("# One\n\n## Bad `x`\n\nText.")
    [found] = errors(title, cell("bad", "first\nmine: TypeError - it got None here\n"), cell("good = 2"))
    assert (found.name, found.text, found.section) == ("TypeError", "it got None here", "Bad `x`")
    assert found.repair == ("book/part/one", 2, "One")
    assert found.meanings == {"en": "A value is missing.", "ko": "값이 없습니다."}
    assert troubles.anchor(found.section) == "bad-x"


def test_the_same_message_counts_once_and_a_name_alone_not(errors):
    twice = cell("bad", "TypeError: it got None here\nTypeError: it got None here\nTypeError\nno Error\n")
    assert len(errors(twice)) == 1


def test_an_error_that_nobody_explained_is_said(errors):
    with pytest.raises(BookError, match="0 rows with a part of this error.*some other message"):
        errors(cell("bad", "ValueError: some other message\n"))


def test_tables_of_symptoms_are_found_by_their_heading():
    table = "| {} | cause | test |\n|---|---|---|\n| `nan` | a zero | look |\n"
    source = f"## When\n\n{table.format('What you see')}\n{table.format('a')}"
    found = troubles.symptoms("book/part/one", new_notebook(cells=[new_markdown_cell(source)]))
    assert found == [("`nan`", "a zero", "book/part/one", "When")]


def stored_errors(book, name):
    """The errors in the outputs of a chapter's notebook."""
    return troubles.errors(book, name, nbformat.read(book.notebook(name, book.source_language), 4))


@pytest.mark.parametrize("name", here().chapters)
def test_every_error_and_symptom_of_the_book_is_explained_in_every_language(name):
    book = here()
    for error in stored_errors(book, name):
        assert all(error.meanings.get(language, "").strip() for language in book.languages), error
    if not name.endswith("_in_depth"):
        assert len(troubles.symptoms(name, read(book, name))) >= 5


def test_no_row_of_the_list_is_about_an_error_that_is_gone():
    book = here()
    found = [one for name in book.chapters for one in stored_errors(book, name)]
    texts = "\n".join(error.text for error in found)
    for message, (_meanings, repair) in troubles.meanings(book).items():
        assert message in texts
        assert not repair or troubles.place_of(book, repair, book.chapters[0]), repair
