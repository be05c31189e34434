import tomllib
from pathlib import Path

import pytest

from ci.book import here
from ci.checks import colab

PACKAGES = Path(colab.__file__).with_name("colab-2026-08.txt")
FAILURE = "full_eval.ipynb, code cell 31: Cell outputs differ\n  expected:  a\n  got:       {}\n  tolerance"


def packages():
    lines = PACKAGES.read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if not line.startswith("#"))


def test_the_image_is_the_one_in_which_tfds_cannot_be_imported():
    image = packages()
    assert (image["protobuf"], image["tensorflow-metadata"]) == ("5.29.6", "1.21.0")


def test_the_image_has_what_the_package_needs():
    project = tomllib.loads((here().root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {name.lower().replace("_", "-") for name in packages()} >= set(project["dependencies"])


@pytest.mark.parametrize("got, outcome", [(colab.ANNOUNCED[0], "skipped"), ("a", "failed")])
def test_only_an_announced_failure_is_expected(got, outcome):
    report = pytest.TestReport("cell", ("cell", 1, "cell"), {}, "failed", FAILURE.format(got), "call")
    hook = colab.pytest_runtest_makereport()
    next(hook)
    with pytest.raises(StopIteration):
        hook.send(report)
    assert (report.outcome, hasattr(report, "wasxfail")) == (outcome, outcome == "skipped")
