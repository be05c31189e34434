"""Commands that are run so that none of them is left."""

import signal
import subprocess
import sys
import time

import psutil
import pytest

from ci.book import here, processes


def test_the_exit_status_is_that_of_the_command(tmp_path):
    assert processes.run([sys.executable, "-c", "raise SystemExit(3)"]) == 3
    with (tmp_path / "said").open("wb") as file:
        assert processes.run(["pwd"], cwd=tmp_path, stdout=file) == 0
    assert (tmp_path / "said").read_text() == f"{tmp_path}\n"


# A child that has a child of its own; both say who they are and wait.
FAMILY = """
import os, signal, subprocess, sys, time
{ignoring}
if len(sys.argv) == 3:
    subprocess.Popen([*sys.orig_argv[:-1]])
open(f"{{sys.argv[1]}}/{{os.getpid()}}", "w").close()
time.sleep(300)
"""
# A command of the book that runs the child, and is stopped.
COMMAND = """
import sys
from ci.book import processes

processes.PATIENCE = 1
try:
    processes.run([sys.executable, "-c", {child!r}, {folder!r}, "parent"])
except KeyboardInterrupt:
    print("stopped")
"""


def lives(process):
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


IGNORING = "signal.signal(signal.SIGINT, signal.SIG_IGN)"


@pytest.mark.parametrize(
    "ignoring", ["", IGNORING, f"if len(sys.argv) == 2: {IGNORING}"], ids=["polite", "stubborn", "stubborn grandchild"]
)
def test_ctrl_c_leaves_neither_the_child_nor_its_children(tmp_path, ignoring):
    program = COMMAND.format(child=FAMILY.format(ignoring=ignoring), folder=str(tmp_path))
    command = subprocess.Popen(
        [sys.executable, "-c", program], cwd=here().root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    deadline = time.monotonic() + 120
    while len(list(tmp_path.iterdir())) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    family = [psutil.Process(int(path.name)) for path in tmp_path.iterdir()]
    command.send_signal(signal.SIGINT)
    assert command.communicate(timeout=120)[0] == "stopped\n"
    deadline = time.monotonic() + 120
    while any(map(lives, family)):
        assert time.monotonic() < deadline
        time.sleep(0.05)
