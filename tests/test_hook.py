"""A git hook runs the tests; what they do with repositories of their own must not reach the repository of the hook."""

from tests.conftest import pytest_configure


def test_a_commit_of_a_test_does_not_reach_the_repository_of_a_hook(git, tmp_path_factory, monkeypatch):
    hook = tmp_path_factory.mktemp("hook")
    monkeypatch.setenv("GIT_DIR", str(hook))
    monkeypatch.setenv("GIT_INDEX_FILE", str(hook / "index"))
    pytest_configure()
    assert git("add", "-A") and git("commit", "-q", "-m", "all")
    assert list(hook.iterdir()) == []
