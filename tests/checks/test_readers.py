import tomllib
from types import SimpleNamespace

import pytest
import yaml
from nbformat.v4 import new_output

from ci.book import here
from ci.execution import environments, nbval
from ci.outputs import compare

FAILURE = "full_eval.ipynb, code cell 31: Cell outputs differ\n  expected:  a\n  got:       {}\n  tolerance"


def test_the_image_has_what_the_package_needs():
    project = tomllib.loads((here().root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    _option, listed = environments.load()["colab"].packages
    lines = (here().root / listed).read_text(encoding="utf-8").splitlines()
    image = dict(line.split("==") for line in lines if not line.startswith("#"))
    lacking = set(project["dependencies"]) - {name.lower().replace("_", "-") for name in image}
    assert lacking == {"importlib-resources"}  # only for TFDS, see below; the chapter that needs it asks for it
    assert (image["protobuf"], image["tensorflow-metadata"]) == ("5.29.6", "1.21.0")  # TFDS cannot be imported there


@pytest.mark.parametrize("got, outcome", [(None, "skipped"), ("a", "failed")])
def test_only_an_announced_failure_is_expected(got, outcome):
    text = got or environments.load()["colab"].announced[0]
    report = pytest.TestReport("cell", ("cell", 1, "cell"), {}, "failed", FAILURE.format(text), "call")
    hook = nbval.pytest_runtest_makereport(SimpleNamespace(config=SimpleNamespace(getoption=lambda _name: "colab")))
    next(hook)
    with pytest.raises(StopIteration):
        hook.send(report)
    assert (report.outcome, hasattr(report, "wasxfail")) == (outcome, outcome == "skipped")


@pytest.mark.parametrize(
    ("fresh", "announced"),
    [
        ("MiB: loop 114.8, remat 13.1", True),
        ("MiB: loop 115.9, remat 13.0", True),
        ("MiB: loop 124.8, remat 13.1", False),
        ("MiB: loop 114.8, remat in it 13.1", False),
        ("MiB: loop 114.8, remat 13.1\nanother line", False),
        ("", False),
    ],
)
def test_a_cell_may_differ_only_in_announced_lines(monkeypatch, fresh, announced):
    row = environments.Environment("3.13", [], announced=["MiB: loop 114.8, remat 13.1"])
    monkeypatch.setattr(environments, "load", lambda: {"lock-313": row})
    stored, new = (new_output("stream", name="stdout", text=text) for text in ("MiB: loop 99.0\nb", fresh))
    difference = "\n".join(compare.differences([stored], [new], compare.DEFAULT_TOLERANCE))
    assert environments.is_announced(difference, "lock-313") == announced


def test_the_weekly_workflow_runs_every_environment():
    workflow = yaml.safe_load((here().root / ".github" / "workflows" / "weekly.yml").read_text(encoding="utf-8"))
    matrix = workflow["jobs"]["readers"]["strategy"]["matrix"]
    assert matrix["environment"] == list(environments.load())
