"""Takes the cause of what a chapter shows away, executes the chapter, and asks whether an output notices."""

import asyncio
import os
import tempfile
from copy import deepcopy

from rich.console import Console
from rich.table import Table

from ci import _
from ci.book import BookError, waiting
from ci.catalogues.sentences import say
from ci.execution import compiled, frameworks
from ci.execution.cache import code_cells, executed
from ci.execution.environment import environment
from ci.execution.kernel import CellError, run
from ci.execution.run import execute, run_interruptibly, side_by_side
from ci.notebooks import faults, sabotages
from ci.notebooks.sabotages import listed, places
from ci.outputs import compare

SABOTAGES = _("sabotages")
HEADINGS = (_("chapter"), SABOTAGES, _("noticed"))


def cut(notebook, number):
    """Takes out all that comes after a code cell, counted from 0."""
    places = [place for place, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    del notebook.cells[places[number] + 1 :]


def shows(cell, outputs):
    """Whether a cell shows these outputs."""
    return not compare.differences(outputs, cell.outputs, compare.tolerance(cell.source))


def raised(cell):
    """The name of the error that is an output of a cell, or ""."""
    return next((output.ename for output in cell.outputs if output.output_type == "error"), "")


async def attempt(notebook, timeout, sabotage, name="", **variables):
    """Executes a chapter with one cause taken away, up to the cell that must notice.

    Args:
      notebook: the chapter as executed, with its outputs; it is changed.
      timeout: of each cell, in seconds.
      variables: of the environment.

    Returns:
      "" if the cell did notice, or else what happened.
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
        said = {"cell": error.cell, "error": error.kind, "value": error.value[:200]}
        return say(_("code cell {cell} raises {error}: {value}"), **said)
    except BookError as error:  # it took too long, or the kernel died
        return str(error).partition("\n")[0]
    if sabotage.error and raised(cell) != sabotage.error:
        return say(_("code cell {cell} does not raise {error}"), cell=noticing + 1, error=sabotage.error)
    return say(_("code cell {cell} shows the same as before"), cell=noticing + 1) if shows(cell, before) else ""


def verdict(notebook, timeout, sabotage):
    """As `attempt`, waiting for it."""
    return asyncio.run(attempt(notebook, timeout, sabotage))


async def unsteady(notebook, name, timeout, **variables):
    """Executes a chapter as it is; returns the numbers of the code cells, from 0, that show something else now."""
    fresh = deepcopy(notebook)
    await run(fresh, name, timeout, lambda: None, **variables)
    pairs = zip(code_cells(notebook), code_cells(fresh), strict=True)
    return {number for number, (old, new) in enumerate(pairs) if not shows(new, old.outputs)}


async def attempts(book, name, free, stage):
    """Tries all sabotages of a chapter, and stores what came of them.

    The chapter is executed unchanged first, so that what differs by itself, or because of the folder of compiled
    programs, does not count as noticed.

    Returns:
      [(sabotage, "" or why it was not noticed)].
    """
    notebook, found, digest = executed(book).fetch(name).notebook, listed(book, name), sabotages.digest(book, name)
    cells, timeout, advance = code_cells(notebook), book.cell_timeout, stage.start(name, len(found))

    async def one(sabotage):
        noticing = places(cells, sabotage)[1]
        if noticing in different:
            reason = say(_("code cell {cell} shows something else without any sabotage"), cell=noticing + 1)
        else:
            async with free:
                reason = await attempt(deepcopy(notebook), timeout, sabotage, name, **options)
        advance()
        return sabotage, reason

    with tempfile.TemporaryDirectory() as folder:
        programs = {} if compiled.counts(notebook) else compiled.variables(folder)
        options = programs | frameworks.variables(book, name)
        async with free:
            different = await unsteady(notebook, name, timeout, **options)
        tried = await side_by_side(map(one, found))
    now = environment()
    noticed = sum(not reason for _sabotage, reason in tried)
    sabotages.store(book, {name: sabotages.Result(digest, now["date"], now["jax"], len(tried), noticed)})
    return tried


async def attempts_in_all(book, names, stage):
    """Lists what `attempts` returns for chapters; as many kernels at a time as there are cores."""
    free = asyncio.Semaphore(os.cpu_count() or 1)
    return await side_by_side(attempts(book, name, free, stage) for name in names)


def report(book, names):
    """Tries the sabotages of some chapters, or of all, and prints what came of them.

    Returns:
      The exit status: 1 if one was not noticed.

    Raises:
      BookError: there is no list, one cannot be read, or it names code that does not stand in its chapter once.
    """
    names = names or book.chapters
    faults.refuse([fault for name in names for fault in sabotages.faults(book, name)], "nothing was executed")
    chosen = [name for name in names if listed(book, name)]
    if not chosen:
        file = book.relative(sabotages.path(book, names[0]))
        raise BookError(_("there is no list of sabotages: write {file}"), file=file)
    frameworks.refuse_lacking(book, chosen)
    execute(book, chosen)
    console = Console()
    count = sum(len(listed(book, name)) for name in chosen)
    with waiting.stage(_("breaking"), count, SABOTAGES) as stage:
        found = dict(zip(chosen, run_interruptibly(attempts_in_all(book, chosen, stage)), strict=True))
    table = Table(*map(say, HEADINGS))
    for name, tried in found.items():
        table.add_row(name, str(len(tried)), str(sum(not reason for _sabotage, reason in tried)))
    console.print(table)
    missed = [(name, one.cause, reason) for name, tried in found.items() for one, reason in tried if reason]
    for chapter, cause, reason in missed:
        print(f"{chapter}, {cause}: {reason}")
    return int(bool(missed))
