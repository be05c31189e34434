import copy
import random
from collections import Counter

import nbformat

from ci.book import here
from ci.execution.run import code_cells
from ci.outputs import compare
from ci.proofs import outputs as mutants
from ci.proofs import runs as mutant_runs


def test_every_change_of_the_real_notebooks_that_matters_is_caught_and_no_other():
    verdicts = list(mutants.verdicts(here()))
    assert [(kind, where) for kind, harmful, caught, where in verdicts if caught != harmful] == []
    assert len(verdicts) >= 300
    kinds = Counter(kind for kind, *_ in verdicts)
    assert {*mutants.TEXT_MUTATIONS, *mutants.PICTURE_MUTATIONS, *mutants.NOTEBOOK_MUTATIONS} <= set(kinds)


def test_a_broken_notebook_has_each_cell_as_it_is_said_to_be():
    book = here()
    stored = nbformat.read(book.notebook(book.chapters[0], book.source_language), as_version=4)
    broken = copy.deepcopy(stored)
    chosen = mutant_runs.mutate(broken, random.Random(0))
    found = [
        bool(compare.differences(other.outputs, cell.outputs, compare.tolerance(cell.source)))
        for cell, other in zip(code_cells(stored), code_cells(broken), strict=True)
    ]
    assert found == [harmful for _, harmful in chosen]
    assert set(found) == {True, False}
