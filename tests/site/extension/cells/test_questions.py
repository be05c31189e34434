"""The lists of a section "Questions" become questions with options, in a small book that Sphinx really renders."""

import pytest
from bs4 import BeautifulSoup

PAGE = """\
# One

## Questions

1. Is `x` one?

   - A. Yes, 1 < 2.
   - B. No.

2. And two?

   - A. No.
   - B. Yes.

**Answers**

1. **A.** It is.
2. **B.** It is, too.

## Exercises
"""


@pytest.fixture
def site(conf, build):
    conf("elements", "questions", exclude_patterns=["_build"])

    def site(page):
        app, output = build({"book/part/one": page, "book/index": "# Front\n", "index": "# Index\n"})
        written = (output / "book" / "part" / "one.html").read_text(encoding="utf-8")
        return BeautifulSoup(written, "html.parser"), app.warning.getvalue()

    return site


def test_each_question_has_its_options_and_its_answer(site):
    page, said = site(PAGE)
    assert "Questions" not in said
    fields = page.select(".questions fieldset")
    assert [field["data-right"] for field in fields] == ["A", "B"]
    assert fields[0].legend.text == "1. Is x one?" and fields[0].legend.code.text == "x"
    assert [label.text.strip() for label in fields[0].select("label")] == ["A. Yes, 1 < 2.", "B. No."]
    assert [option["value"] for option in fields[1].select("input[name=question-2]")] == ["A", "B"]
    assert fields[0].details.p.text == "A. It is." and not fields[0].details.has_attr("open")


@pytest.mark.parametrize(
    "old, new", [("2. **B.** It is, too.\n", ""), ("1. **A.** It", "1. **C.** It"), ("- B. No.", "- C. No.")]
)
def test_lists_of_another_form_are_said_with_their_page(site, old, new):
    assert old in PAGE
    page, said = site(PAGE.replace(old, new))
    assert not page.select(".questions")
    assert "book/part/one: the section Questions must be a numbered list" in said
