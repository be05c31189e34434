"""Each fault of a list of trials is said in one line, and a result belongs to one state of a chapter."""

import pytest

from ci.book import BookError
from ci.notebooks import trials
from ci.notebooks.cells import FIRST, NEEDS, filled
from ci.notebooks.trials import Change, Lesson, Result, Sabotage, Variation

CHAPTER = "book/part/one"
SABOTAGE = """\
- cause: the addition
  replace: 1 + 1
  by: "1"
  noticed_by: print(
"""
LESSON = """\
- lesson: Some text.
  shown_by: print(
  holds: x > 0
  under:
    - {change: one more, replace: 1 + 1, by: 1 + 2}
    - change: both
      replace: x = 1
      by: x = 2
      also:
        - {replace: + 1, by: ""}
"""
RESULT = Result(1, 1, 1, 2, 0, "2026-01-01", "0.10")


@pytest.fixture
def write(book):
    """Writes the list of the chapter, with pairs of texts replaced."""

    def write(text, *pairs):
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new)
        trials.path(book, CHAPTER).write_text(text, encoding="utf-8")

    return write


def test_a_list_is_read_as_it_is_written_and_has_no_fault(book, write):
    assert trials.listed(book, CHAPTER) == ([], [])
    write(SABOTAGE + LESSON + SABOTAGE.replace("print(\n", "print(\n  error: TypeError\n"))
    both = Variation("both", "x = 1", "x = 2", (Change("+ 1", ""),))
    assert trials.listed(book, CHAPTER) == (
        [Sabotage("the addition", "1 + 1", "1", "print(", error) for error in ("", "TypeError")],
        [Lesson("Some text.", "print(", "x > 0", (Variation("one more", "1 + 1", "1 + 2"), both))],
    )
    assert both.changes == (Change("x = 1", "x = 2"), Change("+ 1", ""))
    assert trials.faults(book, CHAPTER) == []


@pytest.mark.parametrize("by", ["1e-3", "True", "~", ""])
def test_code_that_looks_like_yaml_stays_code(book, write, by):
    write(SABOTAGE, ('"1"', by))
    assert trials.listed(book, CHAPTER).sabotages[0].by == by


@pytest.mark.parametrize(
    "text, said", [("- {cause: a\n", ".*: put these lines right, they are YAML"), ("cause: a\n", "it is no list: .*")]
)
def test_what_is_no_list_is_refused(book, write, text, said):
    write(text)
    with pytest.raises(BookError, match=rf"^{CHAPTER}\.trials\.yml: {said}$"):
        trials.listed(book, CHAPTER)


@pytest.mark.parametrize(
    "text, old, new, said",
    [
        (SABOTAGE, "1 + 1", "1 + 2", "replace: the code of the chapter does not have '1 + 2': copy code"),
        (SABOTAGE, "by: p", "bi: p", "it needs cause, replace, by, noticed_by, and may have error, each with"),
        (LESSON, "Some text.", "Other text.", "lesson: the page does not say 'Other text.': copy a sentence"),
        (LESSON, "x > 0", "x >", "holds: 'x >' is no expression of Python (invalid syntax): write one"),
        (LESSON, "replace: + 1", "replace: x = 1", "both: replace: the code of the chapter does not have 'x = 1'"),
        (LESSON, "holds", "hold", "it needs lesson, shown_by, holds, under, each with one text (under: a list)"),
        (LESSON, LESSON.partition("under:")[2], " []\n", "under: there is no variation: write one with change"),
    ],
)
def test_a_fault_is_said_with_file_line_and_entry(book, write, text, old, new, said):
    write(SABOTAGE + "\n" + text.replace(old, new))
    (fault,) = trials.faults(book, CHAPTER)
    assert str(fault).startswith(f"{CHAPTER}.trials.yml:6: entry 2: {said}")
    assert "\n" not in str(fault)


def test_line_breaks_and_runs_of_spaces_are_spaces_and_marks_of_emphasis_count(book, write, edit):
    edit(book.source(CHAPTER), "Some text.", "- Some *words\n  of*   a text.")
    write(LESSON, ("Some text.", "Some *words of*\n    a\n    text."))
    assert trials.faults(book, CHAPTER) == []
    write(LESSON, ("Some text.", "Some words of a text."))
    assert "copy a sentence, with marks such as *" in trials.faults(book, CHAPTER)[0].what


def test_what_is_changed_after_the_named_cell_cannot_show_there(book, write, edit):
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", "```{code-cell}\ny = 5\n")
    write(SABOTAGE.replace("1 + 1", "y = 5") + LESSON.replace("replace: + 1", "replace: y = 5"))
    what = "the cell of {} stands before the cell of replace: name one that comes later"
    assert [fault.what for fault in trials.faults(book, CHAPTER)] == [
        f"entry 1: {what.format('noticed_by')}",
        f"entry 2: both: {what.format('shown_by')}",
    ]


def test_a_result_is_current_while_code_and_list_are_the_same(book, write, edit):
    write(SABOTAGE + LESSON)
    source, untried = book.source(CHAPTER), Result(1, 0, 1, 2, 0)
    assert (trials.state(book, CHAPTER), untried.not_tried) == (untried, 2)

    def tried():
        trials.store(book, CHAPTER, RESULT._replace(digest=trials.digest(book, CHAPTER)))
        assert trials.state(book, CHAPTER).not_tried == 0

    tried()
    cells = (f"```{{code-cell}}\n{filled(book, code)}\n```\n" for code in (FIRST, f'{NEEDS}\npackages.need("grain")'))
    edit(source, "Some text.", "\n".join(["Some other text.\n", *cells]))
    edit(source, "x = 1 + 1", "# a comment\nx = 1 + 1  # another\n")
    edit(source, "```{code-cell}\nx\n", "```{code-cell}\n:tags: [hide-input]\nx\n")
    write("# A comment\n" + SABOTAGE + LESSON.replace("Some text", "Some other text").replace("both", "all"))
    assert trials.state(book, CHAPTER).date == RESULT.date
    write(SABOTAGE + LESSON, ("x > 0", "x > 1"))
    assert trials.state(book, CHAPTER) == untried
    tried()
    edit(source, "1 + 1", "1 + 1 + 0")
    assert trials.state(book, CHAPTER) == untried
    tried()
    edit(source, ":tags: [hide-input]\n", ":tags: [hide-input]\n:tolerance: 5%\n")
    assert trials.state(book, CHAPTER) == untried


@pytest.mark.parametrize(
    "code, kept",
    [
        ("# why\n\na = '# no'  # one\n\n", "a = '# no'"),
        ("f(  # one\n    # two\n    1)", "f(\n    1)"),
        ('"""\n\n# text\n"""', '"""\n\n# text\n"""'),
        ("%%writefile a.py\n# one\nb = 1", "%%writefile a.py\nb = 1"),
        ("f(1,  # cut off", "f(1,  # cut off"),
    ],
)
def test_comments_and_blank_lines_are_taken_out_of_code_and_not_of_strings(code, kept):
    assert trials.without_comments(code) == kept


def test_results_are_kept_by_chapter_and_those_of_chapters_that_are_gone_are_not(book):
    assert trials.results(book) == {}
    trials.store(book, CHAPTER, RESULT)
    trials.store(book, "book/gone", RESULT)
    assert trials.results(book) == {CHAPTER: RESULT}


def test_conflict_markers_in_the_results_are_said_in_one_line(book):
    trials.results_path(book).write_text("<<<<<<< HEAD\n{}\n", encoding="utf-8")
    with pytest.raises(BookError, match=r"^book/trials\.json: .*, or run git checkout HEAD book/trials\.json$"):
        trials.results(book)
