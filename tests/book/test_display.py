"""Progress is a bar on a terminal and plain lines elsewhere; at the end it is said where the time went."""

import os
import pty
import re
import signal
import subprocess
import sys

import pytest

from ci.book import display, here

HIDDEN, SHOWN = "\x1b[?25l", "\x1b[?25h"  # the cursor
PROGRAM = """\
import sys, time
from ci.book import display

display.QUICK = 0
with display.command(str), display.stage("baking", 2, "loaves") as stage:
    advance = stage.start("rye", 1)
    print("said meanwhile", flush=True)
    advance()
    {then}
"""


@pytest.fixture
def clock(monkeypatch):
    """Replaces the clock of this module and of rich by one that goes on when it is called with seconds."""
    now = [0.0]

    def go_on(seconds):
        now[0] += seconds

    monkeypatch.setattr("time.monotonic", lambda: now[0])
    monkeypatch.setattr("rich.console.monotonic", lambda: now[0])
    return go_on


@pytest.fixture
def bake(clock, capsys):
    """Bakes loaves, in so many seconds each; returns the lines on stderr."""

    def bake(*loaves, gettext=str, **options):
        with display.command(gettext), display.stage("baking", unit="loaves", **options) as advance:
            for seconds in loaves:
                clock(seconds)
                advance()
        out, err = capsys.readouterr()
        assert out == ""
        return err.splitlines()

    return bake


def test_plain_lines_come_at_the_beginning_and_every_ten_seconds(bake):
    assert bake(4, 7, 2, 30, total=4) == [
        "baking: 0 of 4 loaves",
        "baking: 2 of 4 loaves, about 14 s to go",
        "baking: 4 of 4 loaves",
        "in 43.0 s: baking 43.0 s",
    ]


def test_a_stage_without_a_total_counts_what_is_done(bake):
    assert bake(12)[:2] == ["baking", "baking: loaves done: 1"]


def test_nothing_is_said_of_a_stage_with_nothing_to_do_and_of_a_quick_command(bake):
    assert bake(total=0) == []
    assert bake(1, total=1) == ["baking: 0 of 1 loaves"]


def test_everything_is_said_in_the_language_of_the_user(bake):
    known = {"baking": "굽기", "loaves": "개", "{done} of {total} {unit}": "{total}{unit} 가운데 {done}{unit}"}
    lines = bake(6, total=1, gettext=lambda text: known.get(text, text))
    assert (lines[0], lines[-1]) == ("굽기: 1개 가운데 0개", "in 6.0 s: 굽기 6.0 s")


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("died_after", [2, 3])
def test_a_part_that_begins_again_is_counted_once(monkeypatch, terminal, died_after):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    with display.stage("baking", 3, "loaves") as stage:
        for done in (died_after, 3):
            advance = stage.start("rye", 3)
            assert stage.whole.completed == 0
            for _loaf in range(done):
                advance()
        assert [task.completed for task in stage.progress.tasks if task.visible] == [3]


def test_a_stage_whose_commands_write_on_the_terminal_has_no_bar(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with display.stage("baking", shows_itself=True):
        pass
    assert capsys.readouterr().err == "baking\n"


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


def test_on_a_terminal_there_is_a_bar_that_disappears(run):
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
def test_a_failure_and_ctrl_c_leave_the_terminal_as_it_was(run, terminal, then, error):
    status, _out, said = run(terminal, then, interrupted=error == "KeyboardInterrupt")
    assert status
    assert error in said
    assert HIDDEN not in said or said.rindex(SHOWN) > said.rindex(HIDDEN)
    assert "baking" in closing(said)
