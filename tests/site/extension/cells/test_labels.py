import pytest
from bs4 import BeautifulSoup

from ci.catalogues.sentences import Sentences
from ci.site.extension.cells import labels

GETTEXT = Sentences({"Contents": "차례", "Menu": "메뉴"}).gettext


def test_labels_of_the_theme_are_translated_and_what_a_chapter_says_is_not():
    page = '<aside aria-label="Contents"><b>Menu</b></aside><article><b>Menu</b></article><i>Menu</i>'
    assert labels.around_the_article(page, GETTEXT) == (
        '<aside aria-label="차례"><b>메뉴</b></aside><article><b>Menu</b></article><i>메뉴</i>'
    )


def test_a_word_within_a_text_is_no_label():
    assert labels.around_the_article("<b>Menu card</b>", GETTEXT) == "<b>Menu card</b>"


SOLUTIONS = dict.fromkeys(["Exercise", "Exercises"], "Show the solution")


@pytest.mark.parametrize("title, words", [*SOLUTIONS.items(), ("Use", "Show this cell")])
def test_a_folded_cell_of_an_exercise_is_its_solution(conf, build, title, words):
    conf("elements", "labels", templates_path=[])
    page = f"# Page\n\n## {title}\n\n### One\n\n```{{code-cell}}\n:tags: [hide-cell]\n1\n```\n"
    _, output = build({"index": page})
    page = BeautifulSoup((output / "index.html").read_text(encoding="utf-8"), "html.parser")
    assert [summary.text for summary in page.select("details.hide summary")] == [words]
