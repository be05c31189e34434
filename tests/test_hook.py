"""A git hook runs the tests; what they do with repositories of their own must not reach the repository of the hook."""

import os
import subprocess
import sys


def files(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_test_can_commit_to_a_repository_of_its_own(book, git):
    assert git("add", "-A")
    assert git("commit", "-q", "-m", "all")
    assert (book.root / ".git" / "logs" / "HEAD").exists()


def test_the_repository_of_a_hook_is_not_touched(tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    before = files(tmp_path)
    of_a_hook = {"GIT_DIR": str(tmp_path / ".git"), "GIT_INDEX_FILE": str(tmp_path / ".git" / "index")}
    test = f"{__file__}::{test_a_test_can_commit_to_a_repository_of_its_own.__name__}"
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", test]
    done = subprocess.run(command, env=os.environ | of_a_hook, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert files(tmp_path) == before
