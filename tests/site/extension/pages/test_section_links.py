"""Names of sections in the last column of a table: which of them lead to their section."""

import pytest
from bs4 import BeautifulSoup

SECTIONS = [
    "The recipe",
    "Why",
    "Why: two rates",
    "Many examples: `vmap`",
    "Static arguments, again",
    "Twice: a",
    "Twice: b",
    "Two (at once)",
    "なぜ：二つ",
]
PAGE = "# Page\n\n" + "".join(f"## {title}\n\nText.\n\n" for title in SECTIONS)


@pytest.fixture
def cells(conf, build):
    """Builds a page whose table has these texts in its last column, and returns what its links show and lead to."""
    conf("section_links")

    def cells(*texts):
        table = "| use | The recipe |\n|---|---|\n" + "".join(f"| The recipe | {text} |\n" for text in texts)
        _, output = build({"index": f"{PAGE}## Use\n\n{table}"})
        page = BeautifulSoup((output / "index.html").read_text(encoding="utf-8"), "html.parser")
        rows = page.select("tbody tr")
        assert not page.select("thead a, td:first-child a")
        return [[(link.get_text(), link["href"]) for link in row.select("a")] for row in rows]

    return cells


def test_a_title_leads_to_its_section(cells):
    assert cells("The recipe") == [[("The recipe", "#the-recipe")]]


def test_so_does_what_stands_before_its_colon_or_comma_and_a_title_with_code(cells):
    named = "Many examples"
    assert cells(named, f"{named}: `vmap`") == [
        [(named, "#many-examples-vmap")],
        [(f"{named}: vmap", "#many-examples-vmap")],
    ]


def test_so_do_the_items_of_a_list_also_in_quotation_marks(cells):
    recipe, again = ("The recipe", "#the-recipe"), ("Static arguments, again", "#static-arguments-again")
    lists = ["The recipe, Static arguments, again", "exercise 1; The recipe", "“The recipe”, exercise 1"]
    assert cells(*lists) == [[recipe, again], [recipe], [recipe]]
    assert cells("Two (at once); The recipe.") == [[("Two (at once)", "#two-at-once"), recipe]]


def test_punctuation_is_that_of_any_language(cells):
    ((recipe, why),) = cells("「The recipe」、「なぜ」")
    assert recipe == ("The recipe", "#the-recipe") and why[0] == "なぜ"


def test_a_title_of_code_may_stand_in_quotation_marks(cells):
    assert cells("“Many examples: `vmap`”") == [[("“Many examples: vmap”", "#many-examples-vmap")]]


@pytest.mark.parametrize(
    "text",
    ["The recipes", "The recipe-like", "see The recipe", "`The recipe`, later", "Twice", "Why", "Page", "Use it"],
)
def test_nothing_else_does(cells, text):
    assert cells(text) == [[]]


def test_a_link_of_the_author_stays(cells):
    assert cells("[The recipe](https://example.org), The recipe") == [[("The recipe", "https://example.org")]]
