"""A change in one language's copy of a real notebook is noticed."""

import random
from copy import deepcopy
from functools import cache

import nbformat
import pytest

from ci.book import here
from ci.execution.cache import code_cells
from ci.notebooks import agree

BOOK = here()
SEED = 0


def change_code(notebook, rng):
    cell = rng.choice([cell for cell in code_cells(notebook) if cell.source])
    place = rng.randrange(len(cell.source))
    cell.source = cell.source[:place] + "#" + cell.source[place:]


def exchange_cells(notebook, rng):
    place = rng.randrange(len(notebook.cells) - 1)
    notebook.cells[place : place + 2] = reversed(notebook.cells[place : place + 2])


def lose_cell(notebook, rng):
    del notebook.cells[rng.randrange(len(notebook.cells))]


def lose_output(notebook, rng):
    rng.choice([cell for cell in code_cells(notebook) if cell.outputs]).outputs.pop()


def change_count(notebook, rng):
    rng.choice(code_cells(notebook)).execution_count += 1


@cache
def stored(name, language):
    return nbformat.read(BOOK.notebook(name, language), as_version=4)


@pytest.mark.parametrize("change", [change_code, exchange_cells, lose_cell, lose_output, change_count])
@pytest.mark.parametrize("language", BOOK.translations)
def test_a_change_of_a_translated_notebook_is_noticed(language, change):
    rng = random.Random(SEED)
    for name in BOOK.chapters * 2:
        changed = deepcopy(stored(name, language))
        change(changed, rng)
        faults = [*agree.untranslatable(stored(name, BOOK.source_language), changed), *agree.out_of_order(changed)]
        assert faults, name
