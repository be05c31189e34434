"""What a reader sees who runs the cells of a notebook in another order than that of the page, in real kernels."""

import os

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from ci.book import here
from ci.notebooks import cells

# The real helper module is installed here, so the cell looks for another one.
LOOK = cells.filled(here(), cells.FIRST).replace('find_spec("flaxbook")', 'find_spec("helper")')
CELLS = [LOOK, "import helper\nbatches = 3", "print(batches)"]
FIRST, IMPORTS, MIDDLE = range(3)
NO_IMPORT, NO_NAME = "No module named 'helper'", "name 'batches' is not defined"
PIP = """\
import pathlib
import sys
place = pathlib.Path(__file__).parent
print("ERROR: much that pip prints\\n" * 20)
if (place / "network").exists():
    (place / "helper.py").touch()
else:
    sys.exit(1)
"""


@pytest.fixture
def run(tmp_path):
    """Runs cells in this order in a new kernel, by default as in Kaggle; returns what each of them shows."""

    def run(*numbers, where="KAGGLE_KERNEL_RUN_TYPE"):
        notebook = new_notebook(cells=[new_code_cell(CELLS[number]) for number in numbers])
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), where: "Interactive"}
        client = NotebookClient(notebook, allow_errors=True, resources={"metadata": {"path": tmp_path}})
        client.execute(env=environment)
        return ["".join(out.get("text", out.get("evalue")) for out in cell.outputs).strip() for cell in notebook.cells]

    (tmp_path / "pip.py").write_text(PIP, encoding="utf-8")
    (tmp_path / "network").touch()
    return run


def test_the_first_cell_says_in_one_line_what_it_did_also_the_second_time(run):
    assert run(FIRST, FIRST, IMPORTS, MIDDLE) == ["flaxbook is installed", "flaxbook is there already", "", "3"]


def test_the_first_cell_does_nothing_elsewhere(run):
    assert run(FIRST, IMPORTS, where="HOME_COMPUTER") == ["", NO_IMPORT]


def test_without_a_network_one_line_says_what_to_do(run, tmp_path):
    (tmp_path / "network").unlink()
    [line] = run(FIRST)
    assert line == f"pip could not install git+{here().repository}: switch the internet on, run this again"


def test_after_a_restart_half_way_the_first_cells_help(run):
    assert run(FIRST, IMPORTS, MIDDLE)[-1] == "3"
    assert run(MIDDLE, FIRST, IMPORTS, MIDDLE) == [NO_NAME, "flaxbook is there already", "", "3"]


def test_the_index_of_errors_says_which_cell_to_run():
    index = here().source("book/troubles").read_text(encoding="utf-8")
    for message in (NO_NAME, NO_IMPORT):
        assert message.replace("batches", "...").replace("helper", "flaxbook") in index
