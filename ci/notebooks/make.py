"""Makes the notebooks of all languages from the chapters, the cached outputs and the catalogues."""

import itertools
import json
import os
from collections import defaultdict

import jupytext
import nbformat
from jupytext.combine import combine_inputs_with_outputs

from ci.outputs import compare
from ci.execution.cache import code_cells, executed
from ci.catalogues import po
from ci.execution import stored
from ci.notebooks import pair, translate
from ci.book import BookError


def with_cached_outputs(cache, name):
    """Returns a chapter with the outputs of the cache.

    Raises:
      BookError: the chapter as it stands has not been executed.
    """
    entry = cache.fetch(name)
    if entry is None:
        raise BookError(f"{name}.md has changed since it was executed: run ./ci/book.sh refresh")
    return entry.notebook


def with_outputs(book, name, done):
    """Returns a chapter as jupytext reads it, with the outputs of `done` and execution counts 1..n."""
    notebook = jupytext.read(book.source(name))
    cells = zip(code_cells(notebook), code_cells(done), strict=True)
    for count, (cell, executed_cell) in enumerate(cells, start=1):
        cell.execution_count = count
        cell.outputs = [nbformat.from_dict({**output}) for output in executed_cell.outputs]
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = count
    return notebook


def build(book, name, done):
    """Returns the source notebook of a chapter: prose and code of the chapter, outputs of `done`.

    Cell ids are those of the stored notebook, and so are outputs that say the same, so that nothing changes
    in the repository unless something changed in the book.
    """
    fresh = with_outputs(book, name, done)
    path = book.notebook(name, book.source_language)
    if not path.exists():
        return fresh
    stored = nbformat.read(path, as_version=4)
    notebook = combine_inputs_with_outputs(fresh, stored)
    known = defaultdict(list)
    for cell in code_cells(stored):
        known[cell.source].append(cell.outputs)
    for cell, new in zip(code_cells(notebook), code_cells(fresh), strict=True):
        cell.execution_count = new.execution_count
        cell.outputs = new.outputs
        old = known[cell.source].pop(0) if known[cell.source] else None
        if old is not None and not compare.differences(old, new.outputs, compare.tolerance(cell.source)):
            cell.outputs = old
            for output in cell.outputs:
                if output.output_type == "execute_result":
                    output.execution_count = new.execution_count
    return notebook


def text_of(notebook):
    """Serialises a notebook with no more metadata than jupytext pairs."""
    notebook.metadata = nbformat.from_dict({"kernelspec": dict(notebook.metadata.kernelspec)})
    return nbformat.writes(nbformat.validator.normalize(notebook)[1], version=4) + "\n"


def all_notebooks(book):
    """Yields (path, text) for each chapter and language, with the outputs of the cache."""
    cache = executed(book)
    for name in book.chapters:
        notebook = build(book, name, with_cached_outputs(cache, name))
        yield book.notebook(name, book.source_language), text_of(notebook)
        yield from translated_notebooks(book, name, notebook)


def stored_notebooks(book):
    """Yields (path, text) for each chapter and language it is translated into, with the outputs that are stored."""
    for name in book.chapters:
        yield from translated_notebooks(book, name, build(book, name, stored.with_stored_outputs(book, name)))


def translated_notebooks(book, name, notebook):
    for language in book.translations:
        messages = po.load(book.catalogue(name, language))
        translated = translate.notebook(notebook, messages, book.source_language)
        yield book.notebook(name, language), text_of(translated)


def write(path, text):
    """Writes a file at once, so that an interruption leaves the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, path)


def first_difference(old, new):
    """Says in which cell two serialised notebooks first differ, counted from 1 over all cells."""
    if not old:
        return "(new)"
    pairs = itertools.zip_longest(*(json.loads(text)["cells"] for text in (old, new)))
    differing = [(number, *pair) for number, pair in enumerate(pairs, start=1) if pair[0] != pair[1]]
    if not differing:
        return "(metadata)"
    number, before, after = differing[0]
    if not (before and after):
        return "(number of cells)"
    return f"(cell {number}: {', '.join(key for key in after if before.get(key) != after[key])})"


def discard_broken(book):
    """Removes each source notebook that cannot be read, so that jupytext makes it again from its chapter."""
    for name in book.chapters:
        path = book.notebook(name, book.source_language)
        try:
            if path.exists():
                nbformat.read(path, as_version=4)
        except (ValueError, nbformat.ValidationError) as error:
            print(f"{book.relative(path)} is not a notebook ({error}); it is made again from {name}.md")
            path.unlink()


def bring_up_to_date(book, notebooks, check):
    """Writes notebooks, pairs of (path, text), that differ from their files, or only names them; returns how many."""
    changed = 0
    for path, text in notebooks:
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        if old == text:
            continue
        changed += 1
        print("out of date:" if check else "written:", book.relative(path), first_difference(old, text))
        if not check:
            write(path, text)
    return changed


def write_all(book):
    """Writes the notebooks of all languages from the cache."""
    changed = bring_up_to_date(book, all_notebooks(book), check=False)
    pair.remember(book)
    print(f"notebooks: {changed} changed")


def write_translated(book):
    """Writes the translated notebooks from the outputs that are stored; those of the source stay as they are."""
    print(f"notebooks: {bring_up_to_date(book, stored_notebooks(book), check=False)} changed")


def check(book):
    """Raises BookError if a notebook is not what `write_all` would write."""
    if bring_up_to_date(book, all_notebooks(book), check=True):
        raise BookError("run ./ci/book.sh refresh and commit what it writes")


def prepare(book):
    """Takes over what was edited in a notebook into its chapter."""
    discard_broken(book)
    pair.bring_together(book)
