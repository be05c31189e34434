"""Progress is a bar on a terminal and plain lines elsewhere."""

import os
import pty
import signal
import subprocess
import sys

import pytest

from ci.book import display, here

HIDDEN, SHOWN = "\x1b[?25l", "\x1b[?25h"  # the cursor
PROGRAM = """\
import sys, time
from ci.book import display

with display.stage("baking", 2) as stage:
    advance = stage.start("rye", 1)
    print("said meanwhile", flush=True)
    advance()
    {then}
"""


def test_elsewhere_there_is_a_line_for_each_stage_and_for_each_part_that_is_done(capsys):
    with display.translated(lambda text: {"baking": "굽기"}.get(text, text)), display.stage("baking", 2) as stage:
        stage.start("rye", 1)()
        stage.start("wheat", 2)()
    with display.stage("nothing to do", 0):
        pass
    assert capsys.readouterr() == ("", "굽기\nrye\n")


@pytest.mark.parametrize("died_after", [2, 3])
def test_a_part_that_begins_again_is_counted_once(died_after):
    with display.stage("baking", 3) as stage:
        for done in (died_after, 3):
            advance = stage.start("rye", 3)
            assert stage.progress.tasks[0].completed == 0
            for _loaf in range(done):
                advance()
        assert [task.completed for task in stage.progress.tasks if task.visible] == [3]


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


def test_on_a_terminal_there_is_a_bar_that_disappears(run):
    status, out, said = run(terminal=True)
    assert (status, out) == (0, "said meanwhile\n")
    assert "baking" in said and "━" in said
    assert said.rindex(SHOWN) > said.rindex(HIDDEN)
    assert "\x1b[2K" in said.rpartition("━")[2]


def test_elsewhere_nothing_is_rewritten(run):
    assert run(terminal=False) == (0, "said meanwhile\n", "baking\nrye\n")


@pytest.mark.parametrize(
    "then, error",
    [("1 / 0", "ZeroDivisionError"), ("print('ready', flush=True); time.sleep(60)", "KeyboardInterrupt")],
)
def test_a_failure_and_ctrl_c_leave_the_terminal_as_it_was(run, then, error):
    status, _out, said = run(True, then, interrupted=error == "KeyboardInterrupt")
    assert status
    assert error in said
    assert said.rindex(SHOWN) > said.rindex(HIDDEN)
