"""Whoever waits sees what for: bars on a terminal, plain lines elsewhere, and at the end where the time went."""

import json
import os
import pty
import re
import signal
import subprocess
import sys

import pytest

from ci.book import here, memory, waiting

HIDDEN, SHOWN = "\x1b[?25l", "\x1b[?25h"  # the cursor
PROGRAM = """\
import sys, time
from ci.book import waiting

waiting.PATIENCE = 0
with waiting.command(None, str, "bake"), waiting.stage("baking", 2, "loaves") as stage:
    advance = stage.start("rye", 1)
    print("said meanwhile", flush=True)
    advance()
    {then}
"""


class Clock:
    """Goes on when it is told to."""

    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def shown(tmp_path, clock, capsys):
    """A command that bakes, a loaf in so many seconds each; returns what is said on stderr."""

    def shown(loaves, path=tmp_path / "seconds.json", gettext=str, **options):
        now = waiting.Waiting(path, gettext, clock)
        with now.stage("baking", unit="loaves", **options) as advance:
            for seconds in loaves:
                clock.now += seconds
                advance()
        now.close()
        said = capsys.readouterr()
        assert said.out == ""
        return said.err.splitlines()

    return shown


@pytest.mark.parametrize(
    "elapsed, done, total, expected, seconds",
    [
        (10, 0, None, None, None),
        (10, 0, 5, None, None),
        (10, 1, 5, None, 40),
        (10, 1, 5, 12, 40),
        (10, 0, 5, 12, 2),
        (10, 3, None, 12, 2),
        (10, 6, 5, 12, 0),
        (10, 0, None, 9, None),
    ],
)
def test_what_is_to_go_is_what_this_run_shows_or_else_the_last(elapsed, done, total, expected, seconds):
    assert memory.to_go(elapsed, done, total, expected) == seconds


@pytest.mark.parametrize(
    "last, total, seconds",
    [
        (None, 5, None),
        ({}, 5, None),
        ({"seconds": "x", "total": 1}, 1, None),
        ([], 1, None),
        ({"seconds": 10, "total": 0}, None, 10),
        ({"seconds": 10, "total": 5}, 20, 40),
    ],
)
def test_what_is_expected_is_the_last_time_for_as_much_as_there_is_to_do(last, total, seconds):
    assert memory.expectation(last, total) == seconds


def test_elsewhere_there_are_plain_lines_now_and_then(shown):
    assert shown([4, 7, 2, 30], total=4) == [
        "baking: 0 of 4 loaves",
        "baking: 2 of 4 loaves, about 11 s to go",
        "baking: 4 of 4 loaves",
        "in 43.0 s: baking 43.0 s",
    ]


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("died_after", [2, 3])
def test_a_part_that_is_done_again_is_counted_once(tmp_path, clock, monkeypatch, terminal, died_after):
    monkeypatch.setattr(waiting, "on_terminal", lambda: terminal)
    now = waiting.Waiting(tmp_path / "seconds.json", clock=clock)
    with now.stage("baking", 3, "loaves") as stage:
        for done in (died_after, 3):
            advance = stage.start("rye", 3)
            assert stage.done == 0
            for _loaf in range(done):
                advance()
        if terminal:
            (bar,) = stage.display.progress.tasks
            assert bar.completed == 3
    assert [one["total"] for one in json.loads(now.path.read_text()).values()] == [3]


def test_the_next_time_it_is_known_how_long_it_takes(shown):
    shown([10, 10], total=2)
    assert shown([1, 1, 1], total=3)[0] == "baking: 0 of 3 loaves, about 30 s to go"


def test_stages_of_the_same_name_have_a_memory_each(tmp_path, clock, capsys):
    path = tmp_path / "seconds.json"

    def begun(seconds, name, unit="loaves", **options):
        """What is said at the beginning of a stage that takes so long."""
        with waiting.Waiting(path, clock=clock, name=name).stage("baking", unit=unit, **options):
            clock.now += seconds
        return capsys.readouterr().err

    assert begun(10, "bread") == begun(20, "cakes") == begun(30, "bread", unit="ovens") == "baking\n"
    assert begun(40, "bread", remembered=False) == "baking\n"
    assert begun(10, "bread") == "baking: about 10 s to go\n"
    assert begun(20, "cakes") == "baking: about 20 s to go\n"
    assert begun(30, "bread", unit="ovens") == "baking: about 30 s to go\n"


def test_what_was_quick_last_time_is_not_announced(shown):
    shown([1], total=1)
    assert shown([1], total=1) == []
    assert shown([], total=0) == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"baking loaves": 3}', "\udcff"])
def test_a_damaged_file_knows_nothing_and_is_written_anew(shown, tmp_path, text):
    path = tmp_path / "seconds.json"
    path.write_bytes(text.encode(errors="surrogateescape"))
    assert shown([6], total=1)[0] == "baking: 0 of 1 loaves"
    assert json.loads(path.read_text()) == {"baking loaves": {"seconds": 6, "total": 1}}


def test_all_is_said_in_the_language_of_the_user(shown):
    known = {"baking": "굽기", "loaves": "개", "{done} of {total} {unit}": "{total}{unit} 가운데 {done}{unit}"}
    lines = shown([6], total=1, gettext=lambda text: known.get(text, text))
    assert lines[0] == "굽기: 1개 가운데 0개"
    assert lines[-1] == "in 6.0 s: 굽기 6.0 s"


def test_a_stage_that_fails_is_not_remembered_but_its_time_is_said(tmp_path, clock, capsys):
    now = waiting.Waiting(tmp_path / "seconds.json", clock=clock)
    with pytest.raises(ZeroDivisionError), now.stage("baking"):
        clock.now += 6
        raise ZeroDivisionError
    now.close()
    assert capsys.readouterr().err.splitlines()[-1] == "in 6.0 s: baking 6.0 s"
    assert not now.path.exists()


@pytest.fixture
def run():
    """Runs the program, on a terminal or not; returns (exit status, stdout, stderr)."""

    def run(terminal, then="pass", interrupted=False):
        own, theirs = pty.openpty() if terminal else os.pipe()
        command = [sys.executable, "-c", PROGRAM.format(then=then)]
        environment = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
        options = {"stdout": subprocess.PIPE, "stderr": theirs, "text": True, "env": environment}
        with subprocess.Popen(command, cwd=here().root, **options) as process:
            os.close(theirs)
            if interrupted:
                assert process.stdout.readline() == "said meanwhile\n"
                assert process.stdout.readline() == "ready\n"
                process.send_signal(signal.SIGINT)
            said = read_all(own)
            os.close(own)
            return process.wait(), process.stdout.read(), said

    return run


def read_all(descriptor):
    said = b""
    try:
        while some := os.read(descriptor, 4096):
            said += some
    except OSError:  # how a terminal of Linux ends
        return said.decode()
    return said.decode()


def closing(said):
    """The line that says where the time went."""
    lines = re.sub(r"\x1b\[[?\d;]*[A-Za-z]", "", said).splitlines()
    return next(line for line in lines if re.match(r"in \d", line))


def test_on_a_terminal_there_is_a_bar_that_goes(run):
    status, out, said = run(terminal=True)
    assert (status, out) == (0, "said meanwhile\n")
    assert "baking" in said and "━" in said
    assert said.rindex(SHOWN) > said.rindex(HIDDEN)
    assert "\x1b[2K" in said.rpartition("━")[2]
    assert "baking" in closing(said)


def test_elsewhere_nothing_is_rewritten(run):
    status, out, said = run(terminal=False)
    assert (status, out) == (0, "said meanwhile\n")
    assert "\x1b" not in said and "\r" not in said
    assert said.splitlines()[:2] == ["baking: 0 of 2 loaves", "rye: 0 of 1 loaves"]
    assert "baking" in closing(said)


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize(
    "then, error",
    [("1 / 0", "ZeroDivisionError"), ("print('ready', flush=True); time.sleep(60)", "KeyboardInterrupt")],
)
def test_a_failure_and_ctrl_c_leave_the_terminal_as_it_was_and_say_the_time(run, terminal, then, error):
    status, _out, said = run(terminal, then, interrupted=error == "KeyboardInterrupt")
    assert status
    assert error in said
    assert HIDDEN not in said or said.rindex(SHOWN) > said.rindex(HIDDEN)
    assert "baking" in closing(said)


def test_what_shows_itself_has_no_bar(monkeypatch, capsys):
    monkeypatch.setattr(waiting, "on_terminal", lambda: True)
    with waiting.stage("baking", shows_itself=True):
        pass
    assert capsys.readouterr().err == "baking\n"
