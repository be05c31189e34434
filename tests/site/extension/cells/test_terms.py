"""Terms are explained where a page uses them first, in a small book that Sphinx really renders."""

import pytest
from bs4 import BeautifulSoup

PAGE = """\
# A batch

One `batch`, [a batch](https://example.org/), **batches** and more of a batch.

| batch |
|---|
| key |

A key <of> a batch, and an axis that is waived.
"""
GLOSSARY = "english,language,term,avoid,note\naxis,ko,축,,\nbatch,ko,배치,,\nkey,ko,키,,\n"
DEFINITIONS = """\
english,language,definition,but not in
axis,en,A direction.,
batch,en,Examples <of> one step.,
key,en,Where numbers come from.,
"""


@pytest.fixture
def page(conf, build, book, catalogue):
    conf("terms", exclude_patterns=["_build", "locale"])
    (book.root / "locale").mkdir(exist_ok=True)
    (book.root / "locale" / "glossary.csv").write_text(GLOSSARY, encoding="utf-8")
    (book.root / "locale" / "definitions.csv").write_text(DEFINITIONS, encoding="utf-8")

    def page(entries=""):
        catalogue(book.catalogue("book/part/one", "ko"), entries)
        _, output = build({"book/part/one": PAGE, "book/index": "# Front\n", "index": "# Index\n\nA batch.\n"})
        return lambda name: BeautifulSoup((output / f"{name}.html").read_text(encoding="utf-8"), "html.parser")

    return page


def used(page):
    return [(button.text, button.find_parent("p").text.split()[0]) for button in page.select("button.term")]


def test_the_first_use_in_prose_opens_the_definition(page):
    one = page()("book/part/one")
    assert used(one) == [("batches", "One"), ("key", "A"), ("axis", "A")]
    definition = one.find(id=one.select_one("button.term")["popovertarget"])
    assert definition.has_attr("popover") and definition.text == "batch 한국어: 배치Examples <of> one step."
    assert definition.select_one("[lang=ko]").text == "한국어: 배치"


def test_only_chapters_explain_terms(page):
    assert used(page()("index")) == []


def test_a_message_whose_word_is_no_term_explains_none(page):
    waived = 'msgid "A key <of> a batch, and an axis that is waived."\nmsgstr "x"\n'
    assert used(page(f"# waive glossary: another sense\n{waived}")("book/part/one")) == [("batches", "One")]
