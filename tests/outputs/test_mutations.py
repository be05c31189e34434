"""The comparison notices harmful changes of the stored outputs of the real notebooks, and no harmless ones."""

import random
import shutil
import subprocess
import sys
from functools import cache
from itertools import islice
from xml.etree import ElementTree

import nbformat
import pytest

from ci.book import here
from ci.execution.cache import code_cells
from ci.outputs import compare
from tests.outputs import mutations

BOOK = here()
CASES = 30  # of each kind, if the book has as many
FIGURES = 2  # of each kind in a quick run; comparing two figures takes a tenth of a second
KINDS = list(enumerate(kind for kind, *_ in mutations.mutants([], None)))
UNBROKEN = 0.25  # of the cells of a broken notebook


@cache
def shuffled_cells():
    notebooks = (nbformat.read(BOOK.notebook(name, BOOK.source_language), as_version=4) for name in BOOK.chapters)
    cells = [cell for notebook in notebooks for cell in code_cells(notebook)]
    return random.Random(mutations.SEED).sample(cells, len(cells))


def is_noticed(cell, outputs):
    return bool(compare.differences(cell.outputs, outputs, compare.tolerance(cell.metadata)))


def assert_judged(number, count):
    _kind, harmful, mutants = mutations.mutants(shuffled_cells(), random.Random(mutations.SEED))[number]
    cases = list(islice(mutants, count))
    assert len(cases) >= count // 3
    assert [cell.source for cell, outputs in cases if is_noticed(cell, outputs) != harmful] == []


@pytest.mark.parametrize("number, kind", KINDS)
def test_harmful_changes_are_noticed_and_harmless_ones_are_not(number, kind):
    assert_judged(number, FIGURES if "figure" in kind else CASES)


@pytest.mark.slow
@pytest.mark.parametrize("number, kind", [(number, kind) for number, kind in KINDS if "figure" in kind])
def test_harmful_changes_of_many_figures_are_noticed_and_harmless_ones_are_not(number, kind):
    assert_judged(number, CASES)


def break_outputs(notebook, rng):
    """Change the outputs of most cells, each in a random way; list whether each cell must fail."""
    expected = []
    for cell in code_cells(notebook):
        harmful = rng.random() >= UNBROKEN
        # A lost warning is a change of what the cell does, not of what is stored.
        groups = [list(mutants) for kind, bad, mutants in mutations.mutants([cell], rng) if bad == harmful]
        fitting = [group for group in groups if group and group[0][0] is cell]
        if fitting:
            cell.outputs = rng.choice(rng.choice(fitting))[1]
        expected.append(harmful and bool(fitting))
    return expected


@pytest.mark.slow
def test_pytest_finds_the_broken_cells_of_every_notebook_and_no_others(tmp_path):
    rng, expected = random.Random(mutations.SEED), {}
    for name in BOOK.chapters:
        source = BOOK.notebook(name, BOOK.source_language)
        notebook = nbformat.read(source, as_version=4)
        target = tmp_path / source.relative_to(BOOK.root)
        target.parent.mkdir(parents=True, exist_ok=True)
        for number, fails in enumerate(break_outputs(notebook, rng), start=1):
            expected[target.name, f"code cell {number}"] = fails
        nbformat.write(notebook, target)
    shutil.copy(BOOK.root / "notebooks" / "conftest.py", tmp_path / "notebooks")
    report = tmp_path / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--dist", "loadscope", "-p", "no:cacheprovider"]
    subprocess.run([*command, f"--rootdir={tmp_path}", f"--junitxml={report}", "--nbval", tmp_path / "notebooks"])
    cases = ElementTree.parse(report).iter("testcase")
    found = {
        (".".join(case.get("classname").rsplit(".", 2)[1:]), case.get("name")): case.find("failure") is not None
        for case in cases
        if case.find("skipped") is None  # the frameworks of the chapter are not installed
    }
    assert sum(expected[place] for place in found) > len(found) / 2
    assert {place: fails for place, fails in found.items() if expected[place] != fails} == {}
