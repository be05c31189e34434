"""Breaks the notebooks of the book in every way we could think of and counts what the comparison catches.

A mutant is a copy of one cell's outputs, or of one notebook, with one change.
"""

import random

import nbformat

from ci.checks.mutations import (
    HARMLESS,
    HARMLESS_PICTURES,
    OUTPUT_MUTATIONS,
    PICTURE_MUTATIONS,
    SEED,
    TEXT_MUTATIONS,
    picture_mutants,
    text_mutants,
)
from ci.execution.cache import code_cells
from ci.notebooks import agree
from ci.outputs import compare

PER_KIND = 30  # mutants


def changed_code(notebook, rng):
    cell = rng.choice([cell for cell in code_cells(notebook) if cell.source])
    place = rng.randrange(len(cell.source))
    cell.source = cell.source[:place] + "#" + cell.source[place:]


def swapped_cells(notebook, rng):
    i = rng.randrange(len(notebook.cells) - 1)
    notebook.cells[i], notebook.cells[i + 1] = notebook.cells[i + 1], notebook.cells[i]


def lost_cell(notebook, rng):
    del notebook.cells[rng.randrange(len(notebook.cells))]


def edited_output(notebook, rng):
    cell = rng.choice([cell for cell in code_cells(notebook) if cell.outputs])
    cell.outputs.pop()


def stale_count(notebook, rng):
    rng.choice(code_cells(notebook)).execution_count += 1


NOTEBOOK_MUTATIONS = {
    "code of one language": changed_code,
    "order of cells": swapped_cells,
    "lost cell": lost_cell,
    "output of one language": edited_output,
    "stale execution count": stale_count,
}


def sampled(mutants, rng):
    """At most PER_KIND of many mutants, from all over the book."""
    mutants = list(mutants)
    return rng.sample(mutants, min(PER_KIND, len(mutants)))


def output_mutants(cells, rng):
    """Lists (kind, whether it should be caught, mutants); each mutant is (cell, outputs in place of the cell's)."""
    return [
        *((kind, True, text_mutants(cells, mutate, rng)) for kind, mutate in TEXT_MUTATIONS.items()),
        *((kind, False, text_mutants(cells, mutate, rng)) for kind, mutate in HARMLESS.items()),
        *((kind, True, picture_mutants(cells, mutate, rng)) for kind, mutate in PICTURE_MUTATIONS.items()),
        *((kind, False, picture_mutants(cells, mutate, rng)) for kind, mutate in HARMLESS_PICTURES.items()),
        *((kind, True, mutate(cells, rng)) for kind, mutate in OUTPUT_MUTATIONS.items()),
    ]


def output_verdicts(cells, rng):
    """Yields (kind, whether it should be caught, whether it was, code of the cell)."""
    for kind, harmful, mutants in output_mutants(cells, rng):
        for cell, outputs in sampled(mutants, rng):
            found = compare.differences(cell.outputs, outputs, compare.tolerance(cell.source))
            yield kind, harmful, bool(found), cell.source


def notebook_verdicts(book, rng):
    """Yields (kind, whether it should be caught, whether it was, chapter) for changes in a translated notebook."""
    for kind, mutate in NOTEBOOK_MUTATIONS.items():
        for number in range(PER_KIND):
            name = book.chapters[number % len(book.chapters)]
            language = book.translations[number % len(book.translations)]
            source, mutant = (
                nbformat.read(book.notebook(name, code), as_version=4) for code in (book.source_language, language)
            )
            mutate(mutant, rng)
            found = [*agree.untranslatable(source, mutant), *agree.out_of_order(mutant)]
            yield kind, True, bool(found), name


def verdicts(book):
    rng = random.Random(SEED)
    notebooks = [nbformat.read(book.notebook(name, book.source_language), as_version=4) for name in book.chapters]
    cells = [cell for notebook in notebooks for cell in code_cells(notebook)]
    yield from output_verdicts(cells, rng)
    yield from notebook_verdicts(book, rng)
