"""The scripts' own decisions: one build at a time, the right Python, no half-made environment."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def tree(tmp_path):
    """A copy of the scripts, in a tree of their own."""
    (tmp_path / "ci").mkdir()
    for name in ("lock.py", "env.sh"):
        (tmp_path / "ci" / name).write_text((ROOT / "ci" / name).read_text())
    return tmp_path


def clean_environment(**more):
    environment = {key: value for key, value in os.environ.items() if key not in ("FLAXBOOK_LOCK", "PYTHON")}
    return environment | more


def test_a_second_build_waits_for_the_first(tree):
    log = tree / "log"
    body = f"import time; f = open({str(log)!r}, 'a'); f.write('('); f.flush(); time.sleep(0.5); f.write(')')"
    command = [sys.executable, tree / "ci" / "lock.py", sys.executable, "-c", body]
    builds = [subprocess.Popen(command, env=clean_environment(), stderr=subprocess.PIPE) for _ in range(2)]
    said = b"".join(build.communicate()[1] for build in builds)
    assert log.read_text() == "()()"
    assert b"Another build of this tree is running" in said


def test_a_killed_build_does_not_keep_the_lock(tree):
    lock = [sys.executable, tree / "ci" / "lock.py"]
    first = subprocess.Popen([*lock, "sleep", "60"], env=clean_environment())
    time.sleep(0.5)
    first.kill()
    first.wait()
    assert subprocess.run([*lock, "true"], env=clean_environment(), timeout=10).returncode == 0


def test_a_build_inside_a_build_does_not_wait_for_itself(tree):
    lock = [sys.executable, str(tree / "ci" / "lock.py")]
    assert subprocess.run([*lock, *lock, "true"], env=clean_environment(), timeout=10).returncode == 0


def test_a_tree_behind_a_symbolic_link_is_the_same_tree(tree):
    (tree / "ci" / "hello.sh").write_text('source "$(dirname "$0")/env.sh"\necho hello\n')
    (tree / "requirements.txt").write_text("")
    (tree / ".venv" / "bin").mkdir(parents=True)
    (tree / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (tree / ".venv" / "installed").write_text(subprocess.check_output("cksum < /dev/null", shell=True, text=True))
    link = tree.with_name(tree.name + "-link")
    link.symlink_to(tree)
    command = ["bash", link / "ci" / "hello.sh"]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, timeout=30)
    assert done.stdout == "hello\n", done.stderr


def test_a_python_that_is_too_old_is_named_with_what_is_needed(tree):
    old = tree / "bin" / "python3"
    old.parent.mkdir()
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.1"\nexit 1\n')
    old.chmod(0o755)
    for name in ("dirname", "cat"):
        (old.parent / name).symlink_to(f"/usr/bin/{name}")
    done = subprocess.run(
        ["/bin/bash", tree / "ci" / "env.sh"],
        env=clean_environment(PATH=str(old.parent)),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "error: flaxbook needs Python 3.11, 3.12 or 3.13; found Python 3.9.1" in done.stderr
