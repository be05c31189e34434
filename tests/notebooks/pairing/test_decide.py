import pytest

from ci.notebooks.pairing.decide import CHAPTER, NOTEBOOK, Undecided, decide

C, N = CHAPTER, NOTEBOOK
BOTH, WHICH, STATES = "both edited", "nothing tells which one was edited", "different states"


@pytest.mark.parametrize("known", [{}, {"committed": "a"}, {"paired": ["x"]}, {"committed": "x", "paired": ["a"]}])
def test_two_that_agree_need_nothing(known):
    assert decide("x", "x", **known) is None


@pytest.mark.parametrize(
    "chapter, notebook, known, expected",
    [
        # One of the two is as it was.
        ("x", "a", {"committed": "a"}, C),
        ("a", "x", {"committed": "a"}, N),
        ("x", "a", {"paired": ["a"]}, C),
        ("a", "x", {"paired": ["a"]}, N),
        ("a", "x", {"committed": "a", "paired": ["b"]}, N),
        ("b", "x", {"committed": "a", "paired": ["b"]}, N),
        ("b", "x", {"committed": "a", "paired": ["b", "c"]}, N),
        ("x", "b", {"committed": "a", "paired": ["b"]}, C),
        ("x", "b", {"committed": "a", "paired": ["b"], "touched": [C, N]}, C),
        # Both were changed together and put back by git; then the same change was made again.
        ("a", "b", {"committed": "a", "paired": ["b"], "touched": [C, N]}, N),
        ("b", "a", {"committed": "a", "paired": ["b"], "touched": [N, C]}, C),
        # One was changed back, and the other is as it was when the two were pair.
        ("a", "b", {"committed": "a", "paired": ["b"], "touched": [C]}, C),
        ("b", "a", {"committed": "b", "paired": ["a", "b"], "touched": [N]}, N),
        # As committed, but not paired: what was done here does not matter.
        ("a", "b", {"committed": "a", "paired": ["b"], "touched": [C], "clean": True}, N),
        ("b", "a", {"committed": "a", "paired": ["b"], "touched": [C], "clean": True}, C),
        ("b", "x", {"committed": "a", "paired": ["b"], "clean": True}, N),
    ],
)
def test_the_edited_one_counts(chapter, notebook, known, expected):
    assert decide(chapter, notebook, **known) == expected


@pytest.mark.parametrize(
    "chapter, notebook, known, why",
    [
        ("x", "y", {}, WHICH),
        ("x", "y", {"touched": [C]}, WHICH),
        ("x", "y", {"committed": "a"}, BOTH),
        ("x", "y", {"paired": ["a"], "touched": [C]}, BOTH),
        ("x", "y", {"committed": "a", "paired": ["b"], "clean": True}, BOTH),
        ("a", "b", {"committed": "a", "paired": ["b"]}, STATES),
        ("a", "b", {"committed": "a", "paired": ["b"], "touched": [N, C]}, STATES),
        ("b", "a", {"committed": "a", "paired": ["b"], "touched": [N]}, STATES),
        ("b", "c", {"committed": "a", "paired": ["b", "c"], "touched": [N, C]}, STATES),
    ],
)
def test_what_is_not_certain_is_for_the_author(chapter, notebook, known, why):
    with pytest.raises(Undecided, match=why):
        decide(chapter, notebook, **known)
