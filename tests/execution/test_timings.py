from ci.execution import timings
from ci.execution.timings import OURS, USUAL, Round, Step


def rounds(*steps, cores=2):
    return [Round("abc", {"cores": cores}, one) for one in steps]


def test_ratios_are_taken_within_each_round():
    found = rounds({USUAL: Step(10), OURS: Step(2)}, {USUAL: Step(30), OURS: Step(3)}, {USUAL: Step(8), OURS: Step(4)})
    usual, ours, ratio = timings.rows(found)
    assert (usual.median, usual.low, usual.high) == (10, 8, 30)
    assert ours.median == 3
    assert (ratio.median, ratio.low, ratio.high, ratio.unit) == (5, 2, 10, "×")


def test_a_ratio_of_one_would_be_cores_that_always_work():
    _ours, spread = timings.rows(rounds({OURS: Step(30, busy=80)}, cores=4))
    assert (spread.text, spread.median) == (timings.SPREAD, 1.5)


def test_a_step_of_some_rounds_only_is_shown_with_its_last_counts():
    code, checks = timings.rows(rounds({"code": Step(1, 10, 4)}, {"checks": Step(600)}, {"code": Step(3, 12, 5)}))
    assert code.median == 2
    assert timings.words(code, str)[4:] == ["12", "5"]
    assert timings.words(checks, str)[1:] == ["600.0\N{NO-BREAK SPACE}s", "", "", "", ""]


def test_what_was_stored_is_loaded(book):
    assert timings.load(book) == []
    found = rounds({"nothing": Step(1.5, 0, 4, 2.5)}, {"prose": Step(2.5)})
    timings.store(book, found)
    assert timings.load(book) == found
