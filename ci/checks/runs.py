"""Breaks what most cells have stored and lets nbval find them, as a reader would run it.

Where `ci.checks.outputs` asks the comparison alone, this executes every chapter. One cell in four keeps its outputs,
or has them changed harmlessly.
"""

import random
import shutil
from operator import itemgetter

import nbformat
import pytest

from ci.checks.mutations import SEED
from ci.checks.outputs import output_mutants
from ci.execution import frameworks
from ci.execution.cache import code_cells

UNBROKEN = 0.25  # of the cells
UNCHANGED = "unchanged"


def mutate(notebook, rng):
    """Changes the stored outputs of the cells of a notebook, each in a kind of its own chance.

    Returns:
      A list of (kind, whether it should be caught), one for each code cell.
    """
    chosen = []
    for cell in code_cells(notebook):
        harmful = rng.random() >= UNBROKEN
        groups = [(kind, list(mutants)) for kind, should, mutants in output_mutants([cell], rng) if should == harmful]
        # A lost warning stands in the stored cell itself; seen from here it is the kind "warning".
        fitting = [(kind, found) for kind, found in groups if found and kind != "lost warning"]
        kind, found = rng.choice(fitting) if fitting else (UNCHANGED, [(cell, cell.outputs)])
        cell.outputs = rng.choice(found)[1]
        chosen.append((kind, harmful))
    return chosen


class Failed:
    """A pytest plugin that collects which cells failed, by the names of notebook and cell."""

    def __init__(self):
        self.cells = {}

    def pytest_runtest_logreport(self, report):
        path, _, cell = report.nodeid.partition("::")
        self.cells[path, cell] = self.cells.get((path, cell), False) or report.failed


def validate(folder):
    """Validates the notebooks of a folder; returns {(notebook, cell): whether it failed}."""
    failed = Failed()
    options = ["-q", "-n", "auto", "--dist", "loadscope", "--no-header", "--tb=no", "-rN", "-p", "no:cacheprovider"]
    pytest.main([*options, "--rootdir", str(folder), "--nbval", str(folder / "notebooks")], plugins=[failed])
    return failed.cells


def verdicts(book):
    """Writes broken notebooks of the source language and validates them.

    Yields:
      (kind, whether the cell should fail, whether it did, where) for each code cell; None for a cell that was not run.
    """
    frameworks.refuse_lacking(book, book.chapters)
    folder = book.built("mutants")
    shutil.rmtree(folder, ignore_errors=True)
    rng, mutated = random.Random(SEED), {}
    for name in book.chapters:
        source = book.notebook(name, book.source_language)
        path = source.relative_to(book.root)
        notebook = nbformat.read(source, as_version=4)
        for number, (kind, harmful) in enumerate(mutate(notebook, rng), start=1):
            mutated[path.as_posix(), f"code cell {number}"] = kind, harmful
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, folder / path)
    shutil.copy(book.root / "notebooks" / "conftest.py", folder / "notebooks")
    failed = validate(folder)
    for cell, (kind, harmful) in sorted(mutated.items(), key=itemgetter(1)):
        yield kind, harmful, failed.get(cell), ", ".join(cell)
