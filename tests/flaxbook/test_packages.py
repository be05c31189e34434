import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from flaxbook import packages

INSTALLED = {"grain": "0.2", "transformers": "5.15.0", "huggingface_hub": "1.27", "jax": "0.7", "numpy": "2.1"}


@pytest.fixture
def pip(monkeypatch, tmp_path):
    """Stands for pip in Kaggle: tells which versions it would install, and keeps with what it was called."""

    def run(command, **_options):
        words = command[command.index("--no-compile") + 1 :]
        calls.append([Path(word).read_text() if word.endswith("constraints.txt") else word for word in words])
        if "--target" in command:
            (tmp_path / "transformers").mkdir()
        report = {"install": [{"metadata": {"name": name, "version": new}} for name, new in plan.items()]}
        failed = status[0] or int("transformers<5" in words and "huggingface_hub==1.27\n" in calls[-1][-1])
        return subprocess.CompletedProcess(command, failed, json.dumps(report), "much\nERROR: no network\n")

    calls, plan, status = [], {}, [0]
    monkeypatch.setattr(packages, "version", INSTALLED.get)
    monkeypatch.setattr(packages.metadata, "distributions", lambda: [SimpleNamespace(name=name) for name in INSTALLED])
    monkeypatch.setattr(packages, "FOLDER", tmp_path)
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setenv("KAGGLE_KERNEL_RUN_TYPE", "Interactive")
    return calls, plan, status


@pytest.mark.parametrize("requirement", ["grain", "grain>=0.1", "transformers>5"])
def test_what_fits_is_not_installed_again(pip, requirement, capsys):
    packages.need(requirement)
    assert (pip[0], capsys.readouterr().out) == ([], "")


def test_what_is_missing_is_installed_and_one_line_says_so(pip, capsys):
    calls, plan, _status = pip
    plan.update({"ray": "2.60.0", "tensorboardX": "2.6.5"})
    packages.need("ray[tune]")
    asked, installed = calls
    assert asked[:-1] == ["--dry-run", "--report", "-", "ray[tune]", "--constraint"]
    assert sorted(asked[-1].splitlines()) == sorted(f"{name}=={kept}" for name, kept in INSTALLED.items())
    assert installed == ["--no-deps", "ray==2.60.0", "tensorboardX==2.6.5"]
    assert capsys.readouterr().out == "ray[tune] is installed\n"


def test_what_would_replace_a_package_goes_into_a_folder_of_its_own(pip, tmp_path):
    calls, plan, _status = pip
    plan.update({"transformers": "4.57.6", "huggingface_hub": "0.36.2"})
    packages.need("transformers<5")
    folder = str(tmp_path / "transformers")
    assert [sorted(asked[-1].splitlines()) for asked in calls[:2]] == [
        ["grain==0.2", "huggingface_hub==1.27", "jax==0.7", "numpy==2.1"],
        ["jax==0.7", "numpy==2.1"],
    ]
    assert calls[2][:4] == ["--no-deps", "--upgrade", "--target", folder]
    assert sys.path[0] == folder


def test_a_restarted_kernel_finds_the_folder(pip, tmp_path):
    found = tmp_path / "grain"
    found.mkdir()
    packages.need("grain")
    packages.need("grain")
    assert (pip[0], sys.path.count(str(found))) == ([], 1)


def test_elsewhere_the_command_is_named(pip, monkeypatch):
    monkeypatch.delenv("KAGGLE_KERNEL_RUN_TYPE")
    with pytest.raises(ModuleNotFoundError, match='^this .* needs transformers<5: pip install "transformers<5"$'):
        packages.need("transformers<5")
    assert pip[0] == []


def test_if_pip_fails_one_line_says_why_and_what_to_do(pip):
    pip[2][0] = 1
    with pytest.raises(ModuleNotFoundError, match="^pip could not install clu: .*internet.*no network.$") as caught:
        packages.need("clu")
    assert "\n" not in str(caught.value)
