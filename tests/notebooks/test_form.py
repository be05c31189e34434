"""The form of a chapter is measured, and a line that is too wide is said with file and line."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from ci.notebooks import faults, form
from ci.notebooks.cells import Chapter

NAME = "book/part/one"
HEAD = "---\nkernelspec: {display_name: Python 3, language: python, name: python3}\n---\n\n# One\n\n"
LINE = HEAD.count("\n") + 1


@pytest.fixture
def said(book):
    """Says what one check finds in a chapter of one cell."""

    def said(check, source, tags):
        cell = f"```{{code-cell}}\n:tags: [{', '.join(tags)}]\n\n{source}\n```\n"
        book.source(NAME).write_text(f"{HEAD}{cell}", encoding="utf-8")
        return list(map(str, faults.found(Chapter(book, NAME), [check])))

    return said


@pytest.mark.parametrize("tags, limit", [((), 88), (("hide-input",), 88), (("without",), 58), (("jax",), 58)])
def test_a_line_that_is_too_wide_is_said_with_its_own_number(said, tags, limit):
    lines = ["x" * limit, "x" * (limit + 1), "", "x" * (limit + 1)]
    found = said(form.lines_too_wide, "\n".join(lines), tags)
    what = f"code cell 1: {limit + 1} columns, and {limit} is the limit: break the line"
    assert found == [f"{NAME}.md:{LINE + number}: {what}" for number in (4, 6)]


def test_what_a_cell_shows_counts_whether_printed_or_displayed():
    stream = new_output("stream", text="a\n \nb\n")
    shown = new_output("display_data", {"text/plain": "c", "text/html": "d"})
    error = new_output("error", ename="E", evalue="f", traceback=[])
    assert form.printed(new_code_cell(outputs=[stream, shown, error])) == ["a", "b", "c"]


@pytest.fixture
def sections():
    """Two sections, and an opening; what is no heading of a section looks like one."""
    words, code = "word " * 400, "x = f(1)\n\n" * 30
    text = f"# One\n\n{words}\n\n## Long\n\n{words}\n\n```\n## heading\n```\n\nShort\n-----\n"
    return new_notebook(cells=[new_markdown_cell(text), new_markdown_cell("### Below it\n"), new_code_cell(code)])


def test_the_minutes_of_sections_count_words_and_code_and_add_up_to_the_chapter(sections):
    assert form.section_minutes(sections) == [round(800 / 180), round(800 / 180 + 30 / 25) - 4] == [4, 2]
    assert form.reading_minutes(sections) == 6


def test_the_address_of_a_link_takes_no_time():
    links = "[a word](https://example.org/a/long/address/of/many/words.html)\nand `code` " * 60
    assert form.section_minutes(new_notebook(cells=[new_markdown_cell(links)])) == [round(240 / 180)]


def test_code_that_no_page_shows_takes_no_time():
    hidden = new_code_cell("x = 1\n" * 500, metadata={"tags": ["remove-cell"]})
    assert form.section_minutes(new_notebook(cells=[new_markdown_cell("# One\n"), hidden])) == [0]


def test_a_chapter_without_sections_takes_a_minute_at_least():
    assert form.reading_minutes(new_notebook(cells=[new_markdown_cell("Some text.")])) == 1
