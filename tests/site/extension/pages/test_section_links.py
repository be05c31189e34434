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


def test_titles_lead_to_their_sections_also_in_lists_shortened_and_in_quotation_marks(cells):
    recipe, again = ("The recipe", "#the-recipe"), ("Static arguments, again", "#static-arguments-again")
    many = "#many-examples-vmap"
    found = cells(
        "The recipe",
        "Many examples",  # what stands before a colon or a comma
        "Many examples: `vmap`",
        "“Many examples: `vmap`”",
        "The recipe, Static arguments, again",
        "exercise 1; The recipe",
        "“The recipe”, exercise 1",
        "Two (at once); The recipe.",
        "「The recipe」、「なぜ」",
    )
    *others, (first, second) = found
    assert others == [
        [recipe],
        [("Many examples", many)],
        [("Many examples: vmap", many)],
        [("“Many examples: vmap”", many)],
        [recipe, again],
        [recipe],
        [recipe],
        [("Two (at once)", "#two-at-once"), recipe],
    ]
    assert (first, second[0]) == (recipe, "なぜ")


def test_nothing_else_does(cells):
    texts = ["The recipes", "The recipe-like", "see The recipe", "`The recipe`, later", "Twice", "Why", "Page"]
    assert cells(*texts) == [[]] * len(texts)


def test_a_link_of_the_author_stays(cells):
    assert cells("[The recipe](https://example.org), The recipe") == [[("The recipe", "https://example.org")]]
