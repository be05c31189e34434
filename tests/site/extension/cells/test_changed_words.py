"""Words that differ: which they are."""

import pytest

from ci.site.extension.cells.side_by_side import changed_words, counterparts


@pytest.mark.parametrize(
    "left, right, found",
    [
        ("y = f(x)", "y = f(x, True)", ([], [", True"])),
        ("    a = nn.Dense(8)", "    a = nnx.Linear(8)", (["nn.Dense"], ["nnx.Linear"])),
        ("def plain(rate):", "def with_it(rate_fn):", (["plain", "rate"], ["with_it", "rate_fn"])),
        ("x = 1", "    x = 1", ([], [])),
        ("", "x", ([], ["x"])),
    ],
)
def test_words_that_differ(left, right, found):
    spans = changed_words(left, right)
    assert tuple([line[a:b] for a, b in side] for line, side in zip((left, right), spans, strict=True)) == found


def test_a_line_belongs_to_the_one_it_resembles_most_in_order():
    left = ["def f(x):", "y = g(x)"]
    right = ["class A:", "def f(x, y):", "pass", "y = g(x, 1)"]
    assert list(counterparts(left, right)) == [(0, 1), (1, 3)]
    assert list(counterparts(["y = f({'a': b}, x)"], ["v = {'a': b, 'c': d}", "y, z = f(v, x)"])) == [(0, 1)]


def test_a_line_that_resembles_none_is_new_as_a_whole():
    assert list(counterparts(["import jax"], ["for name, leaf in items:"])) == []
    assert list(counterparts([], ["x"])) == []
