"""Progress is a bar on a terminal and plain lines elsewhere."""

import contextlib
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
    time.sleep(0.5)  # until the bar is drawn
    print("said meanwhile", flush=True)
    time.sleep(60)
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


def test_ctrl_c_leaves_a_terminal_with_its_cursor_and_without_the_bar():
    own, theirs = pty.openpty()
    options = {"stdout": subprocess.PIPE, "stderr": theirs, "text": True, "cwd": here().root}
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen([sys.executable, "-c", PROGRAM], env=environment, **options) as process:
        os.close(theirs)
        assert process.stdout.readline() == "said meanwhile\n"
        process.send_signal(signal.SIGINT)
        said = b""
        with contextlib.suppress(OSError):  # how a terminal of Linux ends
            while some := os.read(own, 4096):
                said += some
        os.close(own)
    said = said.decode()
    assert process.returncode and "KeyboardInterrupt" in said
    assert "baking" in said and "\x1b[2K" in said.rpartition("━")[2]
    assert said.rindex(SHOWN) > said.rindex(HIDDEN)
