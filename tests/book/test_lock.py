"""One command at a time works on a tree."""

import os
import subprocess
import sys

import pytest

from ci.book import here, lock

HOLDER = """
import subprocess, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from ci.book import lock
with lock.held(Path(sys.argv[2])):
    sys.exit(subprocess.run(sys.argv[3:]).returncode)
"""


@pytest.fixture
def held(tmp_path):
    """The beginning of a command line that runs the rest of it under the lock of a folder."""
    return [sys.executable, "-c", HOLDER, str(here().root), str(tmp_path / "_build")]


def test_a_second_command_waits_for_the_first(tmp_path, held, clean_environment, monkeypatch):
    monkeypatch.delenv(lock.HELD, raising=False)
    with lock.held(tmp_path / "_build"):
        second = subprocess.Popen([*held, "true"], env=clean_environment, stderr=subprocess.PIPE)
        assert b"Another build of this tree is running" in second.stderr.readline()
        assert second.poll() is None
    assert second.wait(timeout=60) == 0
    second.stderr.close()


def test_a_killed_command_does_not_keep_the_lock(held, clean_environment):
    holder = [*held, "sh", "-c", "echo begun; exec sleep 300"]
    with subprocess.Popen(holder, env=clean_environment, stdout=subprocess.PIPE, start_new_session=True) as first:
        assert first.stdout.readline() == b"begun\n"
        first.kill()
        first.wait()
        assert subprocess.run([*held, "true"], env=clean_environment, timeout=60).returncode == 0
        os.killpg(first.pid, 9)


def test_what_a_holder_starts_does_not_wait_and_the_lock_is_free_afterwards(tmp_path, held, monkeypatch):
    monkeypatch.delenv(lock.HELD, raising=False)
    for _time in range(2):
        with lock.held(tmp_path / "_build"), lock.held(tmp_path / "_build"):
            assert subprocess.run([*held, "true"], timeout=60).returncode == 0
