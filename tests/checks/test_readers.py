import tomllib

import pytest
import yaml
from nbformat.v4 import new_output

from ci.book import here
from ci.execution import environment
from ci.outputs import compare


def test_the_image_has_what_the_package_needs():
    project = tomllib.loads((here().root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    _option, listed = environment.environments(here())["colab"].packages
    lines = (here().root / listed).read_text(encoding="utf-8").splitlines()
    image = dict(line.split("==") for line in lines if not line.startswith("#"))
    lacking = set(project["dependencies"]) - {name.lower().replace("_", "-") for name in image}
    assert lacking == {"importlib-resources"}  # only for TFDS, see below; the chapter that needs it asks for it
    assert (image["protobuf"], image["tensorflow-metadata"]) == ("5.29.6", "1.21.0")  # TFDS cannot be imported there


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
def test_a_cell_may_differ_only_in_announced_lines(book, fresh, announced):
    (book.root / "book" / "environments.toml").write_text(
        '[colab]\npython = "3.13"\npackages = []\nannounced = ["MiB: loop 114.8, remat 13.1"]\n'
    )
    stored, new = (new_output("stream", name="stdout", text=text) for text in ("MiB: loop 99.0\nb", fresh))
    found = compare.differences([stored], [new], compare.DEFAULT_TOLERANCE)
    assert environment.announces(book, found, "colab") == announced
    assert not environment.announces(book, found, "newest")


def test_the_weekly_workflow_runs_every_environment():
    workflow = yaml.safe_load((here().root / ".github" / "workflows" / "weekly.yml").read_text(encoding="utf-8"))
    matrix = workflow["jobs"]["readers"]["strategy"]["matrix"]
    assert matrix["environment"] == list(environment.environments(here()))
