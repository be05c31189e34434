"""The comparison notices harmful changes of the stored outputs of the real notebooks, and no harmless ones."""

import random
from functools import cache
from itertools import islice

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
