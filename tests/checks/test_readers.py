import tomllib
from types import SimpleNamespace

import nbformat
import pytest
import yaml
from nbformat.v4 import new_output

from ci.book import here
from ci.checks import readers
from ci.execution import environments, nbval
from ci.execution.environments import Failure, Outcome
from ci.notebooks.cells import FIRST, NEEDS, filled
from ci.outputs import compare

FAILURE = "full_eval.ipynb, code cell 31: Cell outputs differ\n  expected:  a\n  got:       {}\n  tolerance"
REPORT = """\
<testsuites><testsuite>
<testcase classname="notebooks.en.part.one.ipynb" name="code cell 1"/>
<testcase classname="notebooks.en.part.one.ipynb" name="code cell 2"><failure>#x1B[0;31mred#x1B[0m</failure></testcase>
<testcase classname="notebooks.ko.part.one.ipynb" name="code cell 1">
<skipped message="announced in the chapter"/></testcase>
<testcase classname="notebooks.ko.part.one.ipynb" name="code cell 2"><skipped message="no torch"/></testcase>
</testsuite></testsuites>
"""


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


def test_the_results_are_read_from_a_report(tmp_path):
    (tmp_path / "report.xml").write_text(REPORT, encoding="utf-8")
    counts, failures = readers.results(tmp_path / "report.xml")
    assert counts == {
        "notebooks/en/part/one.ipynb": {"passed": 1, "failed": 1},
        "notebooks/ko/part/one.ipynb": {"announced": 1, "skipped": 1},
    }
    assert failures == [Failure("notebooks/en/part/one.ipynb", "code cell 2", "red")]


def test_packages_that_first_cells_change_or_add_are_named():
    before, after = {"numpy": "2.0", "jax": "0.7", "pip": "1"}, {"numpy": "2.1", "jax": "0.7", "flaxbook": "0.1"}
    assert readers.changes(before, after) == (["numpy 2.0 -> 2.1", "pip 1 -> removed"], ["flaxbook"])


def test_the_cells_that_install_something_are_run_once_each(book, tmp_path):
    first, need = filled(book, FIRST), filled(book, f'{NEEDS}\npackages.need("grain")')
    for name, sources in {"a": [first, "1"], "b": [first, need, "2"], "c": [first, "3"]}.items():
        cells = [nbformat.v4.new_markdown_cell("text"), *map(nbformat.v4.new_code_cell, sources)]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / f"{name}.ipynb")
    assert readers.setups(book, sorted(tmp_path.glob("*.ipynb"))) == [
        f"{first}\nimport flaxbook",
        f"{first}\n{need}\nimport flaxbook",
    ]


def test_of_notebooks_with_the_same_code_and_outputs_one_runs(tmp_path):
    outputs = {"en": "a", "ko": "a", "other": "b"}
    for language, text in outputs.items():
        cell = nbformat.v4.new_code_cell("print(1)", outputs=[new_output("stream", text=text)])
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(language), cell])
        nbformat.write(notebook, tmp_path / f"{language}.ipynb")
    chosen = readers.distinct(sorted(tmp_path.glob("*.ipynb")))
    assert [path.stem for path in chosen] == ["en", "other"]


def test_the_outcome_of_some_notebooks_replaces_theirs():
    a, b = (Failure(f"{name}.ipynb", "cell", "text") for name in "ab")
    old = Outcome("2026-01-02", {}, [], ["ray"], {"a.ipynb": {"failed": 1}, "b.ipynb": {"failed": 1}}, [a, b])
    new = Outcome("2026-01-09", {}, [], ["chex"], {"a.ipynb": {"passed": 1}}, [])
    cells = {"a.ipynb": {"passed": 1}, "b.ipynb": {"failed": 1}}
    assert environments.renewed(old, new) == Outcome("2026-01-02", {}, [], ["chex", "ray"], cells, [b])


def test_outcomes_of_environments_in_the_table_are_kept(book):
    one = Outcome(
        "2026-01-02", {"jax": "0.7"}, [], [], {"a.ipynb": {"passed": 2}}, [Failure("a.ipynb", "cell", "text")]
    )
    environments.write(environments.path(book), {"gone": one, "newest": one})
    environments.store(book, "colab", one)
    assert environments.read(environments.path(book)) == {"colab": one, "newest": one}
