import pytest

from ci.execution import growth
from ci.execution.growth import Cost, Model

MODEL = Model(once=4, chapter=2, page=0.5)
COSTS = [
    Cost(chapters, languages, growth.COLD, MODEL.seconds(chapters, languages), 1.0, 300)
    for chapters in (10, 100)
    for languages in (1, 4)
]


def test_the_model_is_found_again():
    assert growth.model(COSTS, growth.COLD) == pytest.approx(MODEL)


@pytest.mark.parametrize("power", [0.5, 1, 2])
def test_an_exponent_is_that_of_the_power(power):
    assert growth.exponent([(size, 3 * size**power) for size in (10, 30, 100)]) == pytest.approx(power)


def test_exponents_are_those_of_the_largest_books():
    chapters, languages = growth.exponents(COSTS, growth.COLD)
    assert chapters == pytest.approx(growth.exponent([(10, MODEL.seconds(10, 4)), (100, MODEL.seconds(100, 4))]))
    assert languages == pytest.approx(growth.exponent([(1, MODEL.seconds(100, 1)), (4, MODEL.seconds(100, 4))]))


def test_what_is_stored_is_loaded_and_shown(book):
    assert growth.load(book) == ([], {})
    growth.store(book, COSTS, {"cores": 2})
    costs, environment = growth.load(book)
    assert (costs, environment) == (COSTS, {"cores": 2})
    (row,) = growth.rows(costs)
    assert growth.words(row, str.upper)[0] == "A BOOK BUILT FROM NOTHING"
    assert growth.words(row, str)[3:] == ["29\N{NO-BREAK SPACE}s, 300\N{NO-BREAK SPACE}MB"] + [
        "404\N{NO-BREAK SPACE}s, 300\N{NO-BREAK SPACE}MB",
        "117\N{NO-BREAK SPACE}min",
    ]


def test_one_size_has_no_exponent():
    (row,) = growth.rows([cost for cost in COSTS if cost[:2] == (10, 1)])
    assert growth.words(row, str)[1:3] == ["–", "–"]


def test_the_sizes_are_said_as_they_were_measured():
    some = [cost for cost in COSTS if cost[:2] != (100, 1)]
    assert growth.scope(some)["books"] == "10 × 1, 4; 100 × 4"
