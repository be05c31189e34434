"""What a chapter should look like is counted as it is read, and said with file and line where it does not."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from ci.notebooks import faults, form
from ci.notebooks.cells import Chapter

NAME = "book/part/one"
HEAD = "---\nkernelspec: {display_name: Python 3, language: python, name: python3}\n---\n\n# One\n\n"
LINE = HEAD.count("\n") + 1


@pytest.fixture
def said(book):
    """Says what one check finds in a chapter of one cell, with what that prints."""

    def said(check, source="1", tags=(), printed=None, prose="", name=NAME):
        cell = f"```{{code-cell}}\n:tags: [{', '.join(tags)}]\n\n{source}\n```\n"
        book.source(name).write_text(f"{HEAD}{cell}{prose}", encoding="utf-8")
        chapter = Chapter(book, name)
        notebook = nbformat.from_dict(chapter.notebook)
        notebook.cells[1].outputs = [new_output("stream", name="stdout", text=printed or "")]
        return list(map(str, faults.found(chapter, [check], *([] if printed is None else [notebook]))))

    return said


@pytest.mark.parametrize(
    "source, count", [("1\n" * 20, 0), ("1\n" * 21, 1), ("%%writefile train.py\n" + "1\n" * 21, 0)]
)
def test_a_cell_that_is_too_long_is_said_unless_it_is_a_program(said, source, count):
    found = said(form.long_cells, source)
    assert len(found) == count
    assert all(fault.startswith(f"{NAME}.md:{LINE}: code cell 1: it has 21 lines, and 20 is") for fault in found)


@pytest.mark.parametrize("tags, limit", [((), 88), (("hide-input",), 88), (("without",), 58), (("jax",), 58)])
def test_a_line_that_is_too_wide_is_said_with_its_own_number(said, tags, limit):
    lines = ["x" * limit, "x" * (limit + 1), "", "x" * (limit + 1)]
    found = said(form.lines_too_wide, "\n".join(lines), tags)
    what = f"code cell 1: {limit + 1} columns, and {limit} is the limit: break the line"
    assert found == [f"{NAME}.md:{LINE + number}: {what}" for number in (4, 6)]


@pytest.mark.parametrize(
    "line, bare",
    [
        ("True", True),
        ("same: True", True),
        ("epoch 3, same: True", True),
        ("epoch 3: same: False", True),
        ("same: True (3 of 3)", False),
        ("True 0.5", False),
        ("Trueness", False),
        ("3", False),
    ],
)
def test_a_verdict_is_bare_without_a_number_after_it(line, bare):
    assert bool(form.verdicts([line])) == bare


@pytest.mark.parametrize("true, other, count", [(3, 17, 0), (4, 16, 1), (0, 0, 0)])
def test_too_many_bare_verdicts_are_said(said, true, other, count):
    found = said(form.bare_verdicts, printed="True\n\n" * true + "0.5\n" * other)
    assert len(found) == count
    for fault in found:
        assert fault.startswith(f"{NAME}.md:{LINE}: 20 % of the lines shown are True or False without a number, 15 %")


def test_what_a_cell_shows_counts_whether_printed_or_displayed():
    stream = new_output("stream", text="a\n \nb\n")
    shown = new_output("display_data", {"text/plain": "c", "text/html": "d"})
    error = new_output("error", ename="E", evalue="f", traceback=[])
    assert form.printed(new_code_cell(outputs=[stream, shown, error])) == ["a", "b", "c"]


@pytest.fixture
def limited(book, edit):
    """The book as one whose tutorials have limits."""
    edit(book.root / "_config.yml", "execute:", "tutorials: {words: [10, 20], code cells: [1, 2]}\nexecute:")


@pytest.mark.parametrize(
    "count, repair",
    [
        (8, "it has 9 words, and 10 to 20 are the limits: say more"),
        (9, ""),
        (19, ""),
        (20, "it has 21 words, and 10 to 20 are the limits: leave some out, or move them to the page in depth"),
    ],
)
def test_a_tutorial_is_neither_short_nor_long(said, limited, count, repair):
    found = said(form.lengths, prose="\n" + "word " * count + "\n", printed="")
    assert found == [f"{NAME}.md:1: {repair}"] * bool(repair)


def test_a_chapter_in_depth_is_as_long_as_it_is(said, limited):
    assert said(form.lengths, printed="", name="book/part/one_in_depth") == []


def test_so_is_one_of_a_book_without_limits(said):
    assert said(form.lengths, printed="") == []


def test_words_are_those_of_the_prose_and_the_longest_cell_is_no_program():
    cells = [new_markdown_cell("One, two-three."), new_code_cell("a\nb"), new_code_cell("%%writefile x\n" + "a\n" * 9)]
    notebook = new_notebook(cells=cells)
    assert (form.prose_words(notebook), form.longest(notebook)) == (3, 2)


def test_reading_takes_longer_the_more_there_is_to_read():
    short, long = (new_notebook(cells=[new_markdown_cell("Some text. " * count)]) for count in (1, 2000))
    assert form.reading_minutes(short) == 1
    assert form.reading_minutes(long) == round(4000 / form.WORDS_A_MINUTE)


@pytest.fixture
def sections():
    """Two sections of 498 and 6 words, and 4 words before them; what is no heading of a section looks like one."""
    text = f"# One\n\nSome more text.\n\n## Long\n\n{'word ' * 497}\n\n```\n## heading\n```\n\nShort\n-----\n"
    return new_notebook(
        cells=[new_markdown_cell(text), new_markdown_cell("### Below it\n"), new_code_cell("x = f(1)")]
    )


def test_each_section_is_counted_with_its_code_and_the_opening_with_the_first(sections):
    assert form.section_words(sections) == [4 + 1 + 497 + 1, 1 + 2 + 3]


def test_sections_add_up_to_the_chapter_and_none_takes_no_time(sections):
    assert form.section_minutes(sections) == [2, 1]
    assert form.reading_minutes(sections) == 3
