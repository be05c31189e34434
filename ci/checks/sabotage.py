"""Remove the cause of what a chapter shows, execute the chapter, and ask whether an output changes."""

import asyncio
import os
import tempfile
from copy import deepcopy

from nbformat import NotebookNode
from rich.console import Console
from rich.table import Table

from ci.book import Book, BookError, display
from ci.execution import compiled, frameworks
from ci.execution.cache import code_cells, executed
from ci.execution.environment import environment
from ci.execution.kernel import CellError, run
from ci.execution.run import execute, prepare_data, run_interruptibly, side_by_side
from ci.notebooks import faults, sabotages
from ci.notebooks.sabotages import Sabotage, listed, places
from ci.outputs import compare

Attempts = list[tuple[Sabotage, str]]
"""Each sabotage with the reason why it was not noticed, or ""."""


def cut(notebook: NotebookNode, number: int) -> None:
    """Delete all cells after a code cell, whose number counts from 0."""
    positions = [position for position, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    del notebook.cells[positions[number] + 1 :]


def shows(cell: NotebookNode, outputs: list[NotebookNode]) -> bool:
    """Return whether a cell shows these outputs."""
    return not compare.differences(outputs, cell.outputs, compare.tolerance(cell.source))


def raised(cell: NotebookNode) -> str:
    """Return the name of the error among the outputs of a cell, or ""."""
    return next((output.ename for output in cell.outputs if output.output_type == "error"), "")


async def attempt(notebook: NotebookNode, timeout: int, sabotage: Sabotage, name: str = "", **variables: str) -> str:
    """Execute a sabotaged chapter up to the cell that must notice; return what happens instead, or "".

    Args:
      notebook: The executed chapter, with its outputs; this changes it.
      variables: Environment variables of the kernel.
    """
    cells = code_cells(notebook)
    changed, noticing = places(cells, sabotage)
    cells[changed].source = cells[changed].source.replace(sabotage.replace, sabotage.by)
    cut(notebook, noticing)
    cell, before = cells[noticing], cells[noticing].outputs
    try:
        await run(notebook, name, timeout, lambda: None, **variables)
    except CellError as error:
        if (error.cell, error.kind) == (noticing + 1, sabotage.error):
            return ""
        return f"code cell {error.cell} raises {error.kind}: {error.value[:200]}"
    except BookError as error:  # a cell took too long, or the kernel died
        return str(error).partition("\n")[0]
    if sabotage.error and raised(cell) != sabotage.error:
        return f"code cell {noticing + 1} does not raise {sabotage.error}"
    return f"code cell {noticing + 1} shows the same as before" if shows(cell, before) else ""


async def unsteady(notebook: NotebookNode, name: str, timeout: int, **variables: str) -> set[int]:
    """Execute a chapter as it is; return the numbers, from 0, of the code cells whose outputs differ from before."""
    fresh = deepcopy(notebook)
    await run(fresh, name, timeout, lambda: None, **variables)
    pairs = zip(code_cells(notebook), code_cells(fresh), strict=True)
    return {number for number, (old, new) in enumerate(pairs) if not shows(new, old.outputs)}


async def attempts(book: Book, name: str, free: asyncio.Semaphore, stage: display.Stage) -> Attempts:
    """Try all sabotages of a chapter, and store the result.

    The unchanged chapter is executed first. A cell that differs without a sabotage cannot notice one.
    """
    entry = executed(book).fetch(name)
    if entry is None:
        raise BookError(f"{name} is not in the cache: run ./ci/book.sh build")
    notebook = entry.notebook
    chosen, digest = listed(book, name), sabotages.digest(book, name)
    cells, timeout, advance = code_cells(notebook), book.cell_timeout, stage.start(name, len(chosen))

    async def try_one(sabotage: Sabotage) -> tuple[Sabotage, str]:
        noticing = places(cells, sabotage)[1]
        if noticing in different:
            reason = f"code cell {noticing + 1} shows something else without any sabotage"
        else:
            async with free:
                reason = await attempt(deepcopy(notebook), timeout, sabotage, name, **variables)
        advance()
        return sabotage, reason

    with tempfile.TemporaryDirectory() as folder:
        variables = compiled.variables_for(notebook, folder) | frameworks.variables(book, name)
        async with free:
            different = await unsteady(notebook, name, timeout, **variables)
        tried = await side_by_side(map(try_one, chosen))
    now = environment()
    noticed = sum(not reason for _sabotage, reason in tried)
    sabotages.store(book, {name: sabotages.Result(digest, str(now["date"]), str(now["jax"]), len(tried), noticed)})
    return tried


async def attempts_in_all(book: Book, names: list[str], stage: display.Stage) -> list[Attempts]:
    """Return the attempts of each chapter, with as many kernels at a time as there are cores."""
    free = asyncio.Semaphore(os.cpu_count() or 1)
    return await side_by_side(attempts(book, name, free, stage) for name in names)


def table(found: dict[str, Attempts]) -> Table:
    """Return a table of how many sabotages of each chapter were tried and noticed."""
    shown = Table("chapter", "sabotages", "noticed")
    for name, tried in found.items():
        shown.add_row(name, str(len(tried)), str(sum(not reason for _sabotage, reason in tried)))
    return shown


def report(book: Book, names: list[str]) -> int:
    """Try the sabotages of some chapters, or of all; print what was noticed, and return the exit status."""
    names = names or book.chapters
    faults.refuse([fault for name in names for fault in sabotages.faults(book, name)], "nothing was executed")
    chosen = [name for name in names if listed(book, name)]
    if not chosen:
        file = book.relative(sabotages.path(book, names[0]))
        raise BookError(f"there is no list of sabotages: write {file}")
    frameworks.refuse_lacking(book, chosen)
    prepare_data()
    execute(book, chosen)
    count = sum(len(listed(book, name)) for name in chosen)
    with display.stage("breaking", count, "sabotages") as stage:
        found = dict(zip(chosen, run_interruptibly(attempts_in_all(book, chosen, stage)), strict=True))
    Console().print(table(found))
    missed = [(name, sabotage, reason) for name, tried in found.items() for sabotage, reason in tried if reason]
    for name, sabotage, reason in missed:
        print(f"{name}, {sabotage.cause}: {reason}")
    return int(bool(missed))
