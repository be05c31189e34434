"""The rooms of the machinery are what CONTRIBUTING draws, and no arrow runs up."""

import ast
import re
from pathlib import Path

import pytest

CI = Path(__file__).resolve().parents[1] / "ci"
DRAWING = re.search(r"```text\n(ci/__main__.*?)```", (CI.parent / "CONTRIBUTING.md").read_text("utf-8"), re.DOTALL)[1]
ROOMS = re.findall(r"─ (\w+)/", DRAWING)
BESIDE_EACH_OTHER = {"site", "checks"}
MODULES = sorted(CI.rglob("*.py"))


def room(path):
    """The name of the room of a file; "" for those at the door."""
    return path.relative_to(CI).parts[0] if path.parent != CI else ""


def imported_rooms(path):
    """The rooms from which a file imports, also within its functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom) and node.module == "ci":
            names = [f"ci.{name.name}" for name in node.names]
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        for name in names:
            if name.startswith("ci.") and name.split(".")[1] in ROOMS:
                yield name.split(".")[1]


def test_the_drawing_has_every_room():
    assert sorted(ROOMS) == sorted(path.name for path in CI.iterdir() if path.is_dir() and path.name != "__pycache__")


def test_there_is_one_door_with_at_most_ten_things_behind_it():
    entries = {path.name for path in CI.iterdir()} - {"__pycache__"}
    assert {name for name in entries if name.endswith(".sh")} == {"book.sh", "test.sh"}
    assert len(entries) - 2 <= 10


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CI)))
def test_a_room_imports_only_from_those_below_it(path):
    if room(path):
        above = ROOMS[: ROOMS.index(room(path))]
        if room(path) in BESIDE_EACH_OTHER:
            above = sorted(BESIDE_EACH_OTHER - {room(path)})
        assert set(imported_rooms(path)).isdisjoint(above)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CI)))
def test_a_module_is_at_most_250_lines_long(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 250


def test_every_file_that_contributing_names_is_there():
    text = (CI.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for name in re.findall(r"`(ci/[a-z_/.]+)`", text):
        assert (CI.parent / name).exists(), name
