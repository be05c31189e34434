"""Check the sabotages of a chapter: remove the cause of an effect, execute the chapter, and compare the output."""

import asyncio
import tempfile
from copy import deepcopy

from nbformat import NotebookNode

from ci.book import Book, BookError, display
from ci.checks import prove
from ci.checks.prove import Outcome, reason
from ci.execution import compiled, frameworks
from ci.execution.cache import code_cells, executed
from ci.execution.kernel import CellError, run
from ci.execution.run import execute, side_by_side
from ci.notebooks.sabotages import SABOTAGES, Sabotage, places
from ci.outputs import compare


def shows(cell: NotebookNode, outputs: list[NotebookNode]) -> bool:
    """Return whether the outputs of a cell equal the given ones, within the tolerance of the cell."""
    return not compare.differences(outputs, cell.outputs, compare.tolerance(cell.metadata))


def raised(cell: NotebookNode) -> str:
    """Return the name of the error among the outputs of a cell, or ""."""
    return next((output.ename for output in cell.outputs if output.output_type == "error"), "")


async def attempt(notebook: NotebookNode, timeout: int, sabotage: Sabotage, name: str = "", **variables: str) -> str:
    """Apply a sabotage and execute the chapter up to the cell whose output must change.

    Return "" if it changes as the sabotage says, or else what happens instead.

    Args:
      notebook: The executed chapter, with its outputs; it is modified.
      variables: Environment variables of the kernel.
    """
    cells, (changed, noticing) = code_cells(notebook), places(notebook, sabotage)
    cells[changed].source = cells[changed].source.replace(sabotage.replace, sabotage.by)
    prove.cut(notebook, noticing)
    cell, before = cells[noticing], cells[noticing].outputs
    try:
        await run(notebook, name, timeout, lambda: None, **variables)
    except BookError as error:
        noticed = isinstance(error, CellError) and (error.cell, error.kind) == (noticing + 1, sabotage.error)
        return "" if noticed else reason(error)
    if sabotage.error and raised(cell) != sabotage.error:
        return f"code cell {noticing + 1} does not raise {sabotage.error}"
    return f"code cell {noticing + 1} shows the same as before" if shows(cell, before) else ""


async def unsteady(notebook: NotebookNode, name: str, timeout: int, **variables: str) -> set[int]:
    """Execute the unchanged chapter again; return the numbers, from 0, of the code cells whose outputs differ."""
    fresh = deepcopy(notebook)
    await run(fresh, name, timeout, lambda: None, **variables)
    pairs = zip(code_cells(notebook), code_cells(fresh), strict=True)
    return {number for number, (old, new) in enumerate(pairs) if not shows(new, old.outputs)}


async def attempts(book: Book, name: str, free: asyncio.Semaphore, stage: display.Stage) -> Outcome:
    """Try all sabotages of a chapter.

    The unchanged chapter is executed first. A cell whose output differs even then cannot reveal a sabotage.
    """
    entry = executed(book).fetch(name)
    if entry is None:
        raise BookError(f"{name} is not in the cache: run ./ci/book.sh build")
    notebook, chosen = entry.notebook, SABOTAGES.listed(book, name)
    timeout, advance = book.cell_timeout, stage.start(name, len(chosen))

    async def try_one(sabotage: Sabotage) -> str:
        noticing = places(notebook, sabotage)[1]
        if noticing in different:
            missed = f"code cell {noticing + 1} shows something else without any sabotage"
        else:
            async with free:
                missed = await attempt(deepcopy(notebook), timeout, sabotage, name, **variables)
        advance()
        return f"{sabotage.cause}: {missed}" if missed else ""

    with tempfile.TemporaryDirectory() as folder:
        variables = compiled.variables_for(notebook, folder) | frameworks.variables(book, name)
        async with free:
            different = await unsteady(notebook, name, timeout, **variables)
        complaints = list(filter(None, await side_by_side(map(try_one, chosen))))
    return Outcome({"listed": len(chosen), "noticed": len(chosen) - len(complaints)}, complaints)


def report(book: Book, names: list[str]) -> int:
    """Try the sabotages of some chapters, or of all; print how many change an output, and return the exit status."""
    names = prove.chosen(book, names, SABOTAGES)
    execute(book, names)
    count = sum(len(SABOTAGES.listed(book, name)) for name in names)
    with display.stage("breaking", count, "sabotages") as stage:
        return prove.report(book, names, SABOTAGES, attempts, stage)
