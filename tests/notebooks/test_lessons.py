"""Each fault of a list of lessons is said in one line."""

import pytest

from ci.notebooks.lessons import LESSONS, Change, Lesson, Variation

CHAPTER = "book/part/one"
LIST = """\
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


@pytest.fixture
def write(book):
    """Writes the list of the chapter, with pairs of texts replaced."""

    def write(*pairs):
        text = LIST
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new)
        LESSONS.path(book, CHAPTER).write_text(text, encoding="utf-8")

    return write


def test_a_list_is_read_as_it_is_written_and_has_no_fault(book, write):
    write()
    both = Variation("both", "x = 1", "x = 2", (Change("+ 1", ""),))
    variations = (Variation("one more", "1 + 1", "1 + 2"), both)
    assert LESSONS.listed(book, CHAPTER) == [Lesson("Some text.", "print(", "x > 0", variations)]
    assert both.changes == (Change("x = 1", "x = 2"), Change("+ 1", ""))
    assert LESSONS.faults(book, CHAPTER) == []


def test_line_breaks_and_runs_of_spaces_are_spaces_and_marks_of_emphasis_count(book, write, edit):
    edit(book.source(CHAPTER), "Some text.", "- Some *words\n  of*   a text.")
    write(("Some text.", "Some *words of*\n    a\n    text."))
    assert LESSONS.faults(book, CHAPTER) == []
    write(("Some text.", "Some words of a text."))
    assert "copy a sentence, with marks such as *" in LESSONS.faults(book, CHAPTER)[0].what


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("Some text.", "Other text.", "lesson: the page does not say 'Other text.': copy a sentence"),
        ("Some text.", "x = 1 + 1", "lesson: the page does not say 'x = 1 + 1'"),
        ("Some text.", '""', "lesson: the page does not say ''"),
        ("print(", "say(", "shown_by: the code of the chapter does not have 'say('"),
        ("print(", "x", "shown_by: the code of the chapter has 'x' 3 times"),
        ("x > 0", "x >", "holds: 'x >' is no expression of Python (invalid syntax): write one"),
        ("x > 0", "y = x", "holds: 'y = x' is no expression of Python"),
        ("1 + 1", "1 + 2", "one more: replace: the code of the chapter does not have '1 + 2'"),
        ("replace: + 1", "replace: x = 1", "both: replace: the code of the chapter does not have 'x = 1'"),
        (
            "holds",
            "hold",
            "it needs lesson, shown_by, holds, under, each with one text (under: a list): write code in",
        ),
        ("holds: x > 0", "holds: [x]", "it needs lesson, shown_by, holds, under"),
        ("holds: x > 0", "holds: x\n  holds: y", "it needs lesson, shown_by, holds, under"),
        (
            "change: both",
            "chance: both",
            "it needs change, replace, by, and may have also, each with one text (also: ",
        ),
        (', by: ""', "", "it needs replace, by, each with one text: write code in quotes"),
        (LIST.partition("under:")[2], " []\n", "under: there is no variation: write one with change, replace, by"),
    ],
)
def test_a_fault_is_said_with_file_line_and_entry(book, write, old, new, said):
    write((old, new))
    (fault,) = LESSONS.faults(book, CHAPTER)
    assert str(fault).startswith(f"{CHAPTER}.lessons.yml:1: entry 1: {said}")
    assert "\n" not in str(fault)


def test_a_lesson_cannot_be_shown_before_what_is_changed(book, write, edit):
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", "```{code-cell}\ny = 5\n")
    write(("replace: + 1", "replace: y = 5"))
    (fault,) = LESSONS.faults(book, CHAPTER)
    assert "both: the cell of shown_by stands before the cell of replace" in fault.what
    write(("replace: + 1", "replace: y = 5"), ("print(", "y = 5"))
    assert LESSONS.faults(book, CHAPTER) == []
