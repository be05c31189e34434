"""Pairs of outputs; mutations.py changes the outputs of the book."""

import pytest
from nbformat.v4 import new_output

from ci.book import BookError, here
from ci.outputs import compare
from flaxbook import data
from flaxbook.plot import CURVES

ONE_PERCENT = 0.01


def stream(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def result(text):
    return new_output("execute_result", {"text/plain": text}, execution_count=3)


@pytest.mark.parametrize(
    ("stored", "fresh"),
    [
        ("loss 0.500, 7 of 10", "loss 0.504, 7 of 10"),
        ("[ 1.00 -2.00]", "[ 1.005 -2.01]"),
        ("<object at 0x7f12345678>", "<object at 0x7f00000000>"),
    ],
)
def test_numbers_within_the_tolerance_are_equal(stored, fresh):
    assert compare.differences([stream(stored)], [stream(fresh)], ONE_PERCENT) == []


@pytest.mark.parametrize(
    ("kind", "stored", "fresh"),
    [
        ("text/plain", "/tmp/ipykernel_1/23.py:2: UserWarning: a", "/tmp/ipykernel_456/23.py:2: UserWarning: a"),
        ("text/plain", 'File "/tmp/ipykernel_1/23.py", line 2', 'File "/var/T/ipykernel_456/23.py", line 2'),
        ("text/plain", "CPU times: user 4 μs\nWall time: 8.11 ms", "CPU times: user 10 ms\nWall time: 8 s"),
        ("text/plain", "1.2 ms ± 3 μs per loop (mean", "981 ns ± 13.2 μs per loop (mean"),
        ("text/html", '<i id="T_0a1b2">', '<i id="T_fffff">'),
        ("text/html", "<i id=a1fe8f2c-0000-4000-8000-000000000001>", "<i id=a1fe8f2c-1111-4000-8000-000000000002>"),
        ("image/svg+xml", '<dc:date>2026</dc:date><g id="p0123456789">', '<dc:date>27</dc:date><g id="pabcdef0123">'),
        ("application/json", {"a": [0.5], "b": None}, {"b": None, "a": [0.504]}),
        (compare.WIDGET, {"model_id": "a"}, {"model_id": "b"}),
    ],
)
def test_what_varies_from_run_to_run_is_equal(kind, stored, fresh):
    stored, fresh = ([new_output("display_data", {kind: value})] for value in (stored, fresh))
    assert compare.differences(stored, fresh, ONE_PERCENT) == []


@pytest.mark.parametrize(
    ("stored", "fresh"),
    [
        ("loss 0.500", "loss 0.506"),
        ("7 of 10", "8 of 10"),
        ("0.5", "nan"),
        ("(1000, 28)", "(1001, 28)"),
        ("7", "7.0"),
        ("Dense_0", "Dense_1"),
        ("a\nb", "a"),
        ("a  b", "a b"),
    ],
)
def test_everything_else_is_a_difference(stored, fresh):
    assert compare.differences([stream(stored)], [stream(fresh)], ONE_PERCENT)
    assert compare.differences([stream(fresh)], [stream(stored)], ONE_PERCENT)


@pytest.mark.parametrize(
    ("stored", "fresh"),
    [
        ([stream("a")], [stream("a", "stderr")]),
        ([result("a")], [new_output("display_data", {"text/plain": "a"})]),
        ([result("a")], [new_output("execute_result", {"text/plain": "a", "text/html": "a"})]),
        ([result("a")], [new_output("error", ename="ValueError", evalue="a")]),
        ([new_output("error", ename="ValueError", evalue="a")], [new_output("error", ename="TypeError", evalue="a")]),
    ],
)
def test_the_kind_of_an_output_matters(stored, fresh):
    assert compare.differences(stored, fresh, ONE_PERCENT)


@pytest.mark.parametrize(
    "new, differs",
    [
        ('[{"at": [1, 2]},\n{"label": "a", "values": [0.502, null]}]', False),
        ('[{"at": [1, 2]},\n{"label": "a", "values": [0.506, null]}]', True),
        ('[{"at": [1, 3]},\n{"label": "a", "values": [0.5, null]}]', True),
        ('[{"at": [1, 2]},\n{"label": "b", "values": [0.5, null]}]', True),
        ('[{"at": [1, 2]},\n{"label": "a", "values": [0.5, 0.5]}]', True),
        ('[{"at": [1, 2]}]', True),
    ],
)
def test_the_curves_of_an_explorable_figure_are_compared_number_by_number(new, differs):
    old = '[{"at": [1, 2]},\n{"label": "a", "values": [0.5, null]}]'
    stored, fresh = ([new_output("display_data", {CURVES: text})] for text in (old, new))
    assert bool(compare.differences(stored, fresh, ONE_PERCENT)) == differs
    assert compare.differences(stored, [new_output("display_data", {})], ONE_PERCENT)


def test_every_line_that_differs_is_listed():
    found = compare.differences([stream("a\nb\n0.5\nc")], [stream("A\nb\n0.502\nC\nd")], ONE_PERCENT)
    assert found == [("text, line 1", "a", "A"), ("text, line 4", "c", "C"), ("text, line 5", None, "d")]
    assert "text, line 5\n  expected:  (no such line)\n  got:       d\n" in compare.said(found, ONE_PERCENT)


def test_counts_tracebacks_and_the_place_that_jax_prints_before_an_error_do_not_matter():
    old = [result("a"), new_output("error", ename="E", evalue="a", traceback=["line 1"])]
    new = [result("a"), new_output("error", ename="E", evalue="a", traceback=["line 2"])]
    new[0].execution_count = 9
    old.append(stream("ValueError: 100 rows\n"))
    new.append(stream("/tmp/ipykernel_32199/2875663571.py:4:4 (<module>)\nValueError: 100 rows\n"))
    assert compare.differences(old, new, ONE_PERCENT) == []


@pytest.mark.parametrize(
    "said",
    [
        "WARNING:matplotlib:Matplotlib is building the font cache; this may take a moment.\n",
        "/lib/tqdm/auto.py:21: TqdmWarning: IProgress not found. Please update jupyter.\n  from .autonotebook\n",
        "made in memory\n",
    ],
)
def test_messages_about_the_machine_and_lines_that_the_book_does_not_compare_do_not_matter(said):
    for more in ("", "UserWarning: something\n"):
        fresh = [stream(said + more, "stderr"), stream("a")]
        found = compare.differences([stream("a")], fresh, ONE_PERCENT, ["made in memory"])
        assert bool(found) == bool(more)


def test_the_book_names_the_line_about_the_source_of_its_data():
    assert data.IN_MEMORY in here().lines_not_compared


def test_a_cell_declares_its_tolerance_in_its_metadata():
    assert compare.tolerance({"tags": ["with"], "tolerance": "2.5%"}) == 0.025
    assert compare.tolerance({"tags": ["with"]}) == compare.DEFAULT_TOLERANCE


@pytest.mark.parametrize(
    ("stored", "fresh", "same"),
    [
        ("in turn 3.21 s, 7 steps: True", "in turn 0.00 s, 7 steps: True", True),
        ("in turn 3.21 s, 7 steps: True", "in turn 3.21 s, 8 steps: True", False),
        ("in turn 3.21 s, 7 steps: True", "in turn 3.21 s, 7 steps: False", False),
    ],
)
def test_times_are_not_compared_but_words_and_integers_beside_them_are(stored, fresh, same):
    before, after = ([stream(text), new_output("display_data", {"image/png": text})] for text in (stored, fresh))
    assert (compare.differences(before, after, compare.tolerance({"tolerance": "times"})) == []) == same


@pytest.mark.parametrize("said", ["", "much", "5", 0.05, "-1%", None])
def test_a_tolerance_that_is_no_percentage_is_an_error(said):
    with pytest.raises(BookError, match="is no percentage: write it as in :tolerance: 5%"):
        compare.tolerance({"tolerance": said})
