"""A hook of git runs the tests; what they do with repositories of their own must not reach the one it is about."""

import os
import subprocess
import sys

TEST = "tests/notebooks/test_with_git.py::test_no_edit_is_lost_whatever_git_does_in_between[0]"


def test_the_repository_of_a_hook_is_not_touched(tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    files = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    of_a_hook = {"GIT_DIR": str(tmp_path / ".git"), "GIT_INDEX_FILE": str(tmp_path / ".git" / "index")}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", TEST]
    done = subprocess.run(command, env=os.environ | of_a_hook, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert files == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
