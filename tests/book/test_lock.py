"""One command at a time works on a tree."""

import subprocess
import sys
import time

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


def test_a_second_build_waits_for_the_first(tmp_path, held, clean_environment):
    log = tmp_path / "log"
    body = f"import time; f = open({str(log)!r}, 'a'); f.write('('); f.flush(); time.sleep(0.5); f.write(')')"
    command = [*held, sys.executable, "-c", body]
    builds = [subprocess.Popen(command, env=clean_environment, stderr=subprocess.PIPE) for _ in range(2)]
    said = b"".join(build.communicate()[1] for build in builds)
    assert log.read_text() == "()()"
    assert b"Another build of this tree is running" in said


def test_a_killed_build_does_not_keep_the_lock(tmp_path, held, clean_environment):
    begun = tmp_path / "begun"
    first = subprocess.Popen([*held, "sh", "-c", f"touch {begun}; exec sleep 60"], env=clean_environment)
    while not begun.exists():
        assert first.poll() is None
        time.sleep(0.05)
    first.kill()
    first.wait()
    assert subprocess.run([*held, "true"], env=clean_environment, timeout=10).returncode == 0


def test_a_build_inside_a_build_does_not_wait_for_itself(held, clean_environment):
    assert subprocess.run([*held, *held, "true"], env=clean_environment, timeout=10).returncode == 0


def test_a_verb_and_the_installation_wait_for_each_other(tmp_path, held, clean_environment, monkeypatch):
    monkeypatch.delenv(lock.HELD, raising=False)
    with lock.held(tmp_path / "_build"):
        second = subprocess.Popen([*held, "true"], env=clean_environment, stderr=subprocess.PIPE)
        assert b"Another build of this tree is running" in second.stderr.readline()
        assert second.poll() is None
    assert second.wait(timeout=10) == 0
    second.stderr.close()


def test_what_a_holder_starts_does_not_wait_and_the_lock_is_free_afterwards(tmp_path, held, monkeypatch):
    monkeypatch.delenv(lock.HELD, raising=False)
    for _time in range(2):
        with lock.held(tmp_path / "_build"), lock.held(tmp_path / "_build"):
            assert subprocess.run([*held, "true"], timeout=10).returncode == 0
