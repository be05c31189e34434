import copy
import random

import nbformat

from ci.book import here
from ci.checks import runs
from ci.execution.cache import code_cells
from ci.outputs import compare


def test_a_broken_notebook_has_each_cell_as_it_is_said_to_be():
    book = here()
    stored = nbformat.read(book.notebook(book.chapters[0], book.source_language), as_version=4)
    broken = copy.deepcopy(stored)
    chosen = runs.mutate(broken, random.Random(0))
    found = [
        bool(compare.differences(other.outputs, cell.outputs, compare.tolerance(cell.source)))
        for cell, other in zip(code_cells(stored), code_cells(broken), strict=True)
    ]
    assert found == [harmful for _, harmful in chosen]
    assert set(found) == {True, False}
