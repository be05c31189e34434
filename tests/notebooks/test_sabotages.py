"""Each fault of a list of sabotages is said in one line, and a result belongs to one state of a chapter."""

import pytest

from ci.book import BookError
from ci.notebooks.cells import FIRST, NEEDS, filled
from ci.notebooks.sabotages import SABOTAGES, Sabotage
from ci.notebooks.trials import Result

CHAPTER = "book/part/one"
ADDED = {"cause": "the addition", "replace": "1 + 1", "by": "1", "noticed_by": "print("}


@pytest.fixture
def write(book):
    """Writes the list of the chapter: text, or entries with each value in quotes."""

    def write(text=None, **entry):
        entry = ADDED | entry
        lines = [f"{'- ' if key == 'cause' else '  '}{key}: '{value}'" for key, value in entry.items()]
        SABOTAGES.path(book, CHAPTER).write_text("\n".join(lines) if text is None else text, encoding="utf-8")

    return write


def test_a_list_is_read_as_it_is_written(book, write):
    assert SABOTAGES.listed(book, CHAPTER) == []
    write("- {cause: a\n")
    with pytest.raises(BookError, match=rf"^{CHAPTER}\.sabotage\.yml: .*: put these lines right, they are YAML$"):
        SABOTAGES.listed(book, CHAPTER)
    write("- {cause: the one, replace: 1 + 1, by: , noticed_by: print(, error: TypeError}\n")
    assert SABOTAGES.listed(book, CHAPTER) == [Sabotage("the one", "1 + 1", "", "print(", "TypeError")]


@pytest.mark.parametrize("by", ["1", "0", "1e-3", "True", "None", "~"])
def test_code_that_looks_like_yaml_stays_code(book, write, by):
    write(f"- {{cause: a, replace: 1 + 1, by: {by}, noticed_by: print(}}\n")
    assert SABOTAGES.listed(book, CHAPTER)[0].by == by


def test_a_list_in_order_has_no_fault(book, write):
    write()
    assert SABOTAGES.faults(book, CHAPTER) == []


@pytest.mark.parametrize(
    "entry, said",
    [
        ({"replace": "1 + 2"}, "replace: the code of the chapter does not have '1 + 2': copy code of the chapter"),
        ({"replace": "x"}, "replace: the code of the chapter has 'x' 3 times: copy more of the code around it"),
        ({"noticed_by": ""}, "noticed_by: the code of the chapter does not have ''"),
        ({"errors": "TypeError"}, "it needs cause, replace, by, noticed_by, and may have error, each with one text"),
    ],
)
def test_a_fault_is_said_with_file_line_and_entry(book, write, entry, said):
    write(**entry)
    (fault,) = SABOTAGES.faults(book, CHAPTER)
    assert str(fault).startswith(f"{CHAPTER}.sabotage.yml:1: entry 1: {said}")
    assert "\n" not in str(fault)


def test_the_line_is_that_of_the_entry(book, write):
    write("- {cause: a, replace: 1 + 1, by: 1, noticed_by: print(}\n\n- {cause: a, replace: [1, 2], by: 1}\n")
    assert [fault.line for fault in SABOTAGES.faults(book, CHAPTER)] == [3]


def test_a_cell_cannot_notice_what_is_changed_after_it(book, write, edit):
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", "```{code-cell}\ny = 5\n")
    write(replace="y = 5")
    (fault,) = SABOTAGES.faults(book, CHAPTER)
    assert "the cell of noticed_by stands before the cell of replace" in fault.what


def test_what_is_no_list_is_refused(book, write):
    write("cause: a\n")
    with pytest.raises(BookError, match="it is no list: begin each entry with `- cause:`$"):
        SABOTAGES.listed(book, CHAPTER)


def test_a_digest_follows_code_and_list_and_nothing_else(book, write, edit):
    write()
    first = SABOTAGES.digest(book, CHAPTER)
    cells = (f"```{{code-cell}}\n{filled(book, code)}\n```\n" for code in (FIRST, f'{NEEDS}\npackages.need("grain")'))
    edit(book.source(CHAPTER), "Some text.", "\n".join(["Some other text.\n", *cells]))
    with SABOTAGES.path(book, CHAPTER).open("a") as file:
        file.write("\n# A comment\n")
    assert SABOTAGES.digest(book, CHAPTER) == first
    write(by="2")
    other = SABOTAGES.digest(book, CHAPTER)
    edit(book.source(CHAPTER), "1 + 1", "1 + 1 + 0")
    assert len({first, other, SABOTAGES.digest(book, CHAPTER)}) == 3


def test_results_are_kept_by_chapter_and_those_of_chapters_that_are_gone_are_not(book):
    result = Result("abc", "2026-01-01", "0.10", {"listed": 9, "noticed": 8})
    assert SABOTAGES.results(book) == {}
    SABOTAGES.store(book, {CHAPTER: result, "book/gone": result})
    SABOTAGES.store(book, {})
    assert SABOTAGES.results(book) == {CHAPTER: result}
