"""Try the entries of the lists beside chapters (sabotages or lessons), and print the results."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from nbformat import NotebookNode
from rich.console import Console
from rich.table import Table

from ci.book import Book, BookError, display
from ci.execution import frameworks
from ci.execution.environment import environment, prepare_data
from ci.execution.kernel import CellError
from ci.execution.run import run_interruptibly, side_by_side
from ci.notebooks import faults
from ci.notebooks.trials import Kind, Result


class Outcome(NamedTuple):
    """The result of trying the list of a chapter."""

    counts: dict[str, int]
    """{what was counted: how many}"""
    complaints: list[str]
    """A line for each entry that failed."""


# A function that tries the list of a chapter. It acquires the semaphore before it starts a kernel.
Try = Callable[[Book, str, asyncio.Semaphore, display.Stage], Awaitable[Outcome]]


def cut(notebook: NotebookNode, number: int) -> None:
    """Delete all cells after a code cell, given its number among the code cells, from 0."""
    positions = [position for position, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    del notebook.cells[positions[number] + 1 :]


def reason(error: BookError) -> str:
    """Return in one line why an execution ended early, such as an error, a timeout or a dead kernel."""
    if isinstance(error, CellError):
        return f"code cell {error.cell} raises {error.kind}: {' '.join(error.value.split())[:200]}"
    return str(error).partition("\n")[0]


def chosen(book: Book, names: list[str], kind: Kind[Any]) -> list[str]:
    """Return those of the given chapters (of all, if none are given) that have a list, and prepare the data sets.

    Raises:
      BookError: A list has a fault, none of the chapters has a list, or frameworks are not installed.
    """
    names = names or book.chapters
    faults.refuse([fault for name in names for fault in kind.faults(book, name)], "nothing was executed")
    chosen = [name for name in names if kind.listed(book, name)]
    if not chosen:
        raise BookError(f"there is no list of {kind.name}: write {book.relative(kind.path(book, names[0]))}")
    frameworks.refuse_lacking(book, chosen)
    prepare_data(book.helper)
    return chosen


async def try_all(book: Book, names: list[str], kind: Kind[Any], attempt: Try, stage: display.Stage) -> list[Outcome]:
    """Try the list of each chapter, store the results and return them; run at most one kernel for each core."""
    free = asyncio.Semaphore(os.cpu_count() or 1)

    async def try_one(name: str) -> Outcome:
        digest = kind.digest(book, name)
        outcome, now = await attempt(book, name, free, stage), environment(book.packages)
        kind.store(book, {name: Result(digest, str(now["date"]), str(now.get("jax", "")), outcome.counts)})
        return outcome

    return await side_by_side(map(try_one, names))


def table(found: dict[str, Outcome]) -> Table:
    """Return a table with the counts of each chapter."""
    shown = Table("chapter", *next(iter(found.values())).counts)
    for name, outcome in found.items():
        shown.add_row(name, *map(str, outcome.counts.values()))
    return shown


def report(book: Book, names: list[str], kind: Kind[Any], attempt: Try, shown: display.Stage) -> int:
    """Try the lists of chapters and print the results; return 1 if there are complaints, or else 0."""
    found = dict(zip(names, run_interruptibly(try_all(book, names, kind, attempt, shown)), strict=True))
    Console().print(table(found))
    complaints = [f"{name}, {complaint}" for name, outcome in found.items() for complaint in outcome.complaints]
    print(*complaints, sep="\n", end="\n" if complaints else "")
    return int(bool(complaints))
