"""Executes each chapter once."""

import asyncio
import os
import re
import sys
import tempfile
import threading
import time
from dataclasses import dataclass

from jupyter_client.kernelspec import NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from ci import _
from ci.book import BookError, Sentence, processes
from ci.execution import compiled
from ci.execution.cache import cache_path, code_cells, code_digest, executed, forget_old_caches, read
from ci.execution.environment import environment

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass
class Result:
    """One line of the closing table."""

    chapter: str
    cells: int
    seconds: float
    executed: bool


class CellError(BookError):
    """A cell has raised.

    Attributes:
      cell: its number, from 1.
      kind: the name of the error, such as "ValueError".
      value: what it says.
    """

    def __init__(self, name, cell, error):
        super().__init__(COLOUR.sub("", f"{name}, code cell {cell}: {error.ename}: {error.evalue}\n\n{error}"))
        self.cell, self.kind, self.value = cell, error.ename, error.evalue


async def run(notebook, name, timeout, on_cell, **variables):
    """Executes a notebook in a kernel of its own, in an empty folder.

    Args:
      notebook: changed in place.
      name: the chapter, for error messages.
      timeout: of each cell, in seconds.
      on_cell: called after each executed cell.
      variables: of the environment, added to those of this process.

    Returns:
      Seconds of execution, the start of the kernel included.

    Raises:
      CellError: a cell raised.
      BookError: a cell took too long, or killed the kernel; or this machine has no such kernel.
    """
    current = 0

    def started(cell, cell_index):
        nonlocal current
        current = sum(c.cell_type == "code" for c in notebook.cells[: cell_index + 1])

    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=timeout,
            kernel_name=notebook.metadata.kernelspec.name,
            coalesce_streams=True,  # or the speed of the machine decides into how many pieces a text is cut
            record_timing=False,  # it would change the metadata by which the cache knows the notebook
            resources={"metadata": {"path": folder}},
            extra_arguments=["--log-level=CRITICAL"],  # a kernel has nothing to say but in its cells
            on_cell_start=started,
            on_cell_executed=lambda **_: on_cell(),
        )
        try:
            await client.async_execute(env=os.environ | variables)
        except NoSuchKernel as error:
            raise BookError(
                f"{name}.md: no kernel named {error.name!r} on this machine: write `name: python3` under `kernelspec:`"
            ) from error
        except CellExecutionError as error:
            raise CellError(name, current, error) from error
        except CellTimeoutError as error:
            source = code_cells(notebook)[current - 1].source
            sentence = _("{name}, code cell {cell}: not finished after {timeout} seconds")
            said = Sentence(sentence, name=name, cell=current, timeout=timeout)
            raise BookError("{said}\n\n{source}", said=said, source=source) from error
        except DeadKernelError as error:
            sentence = _("{name}, code cell {cell}: the kernel died (out of memory?)")
            raise BookError(sentence, name=name, cell=current) from error
    return time.monotonic() - start


async def side_by_side(coroutines):
    """Runs coroutines; returns their results, in order. The first one that fails stops the others."""
    failed = None
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(coroutine) for coroutine in coroutines]
    except* (BookError, OSError) as errors:
        failed = errors.exceptions[0]  # raised here, Python before 3.11.4 would wrap it again
    if failed:
        raise failed
    return [task.result() for task in tasks]


async def execute_all(book, names, progress, at_a_time):
    """Executes or fetches the chapters, up to `at_a_time` at once.

    The first chapter that fails stops the others.

    Returns:
      A `Result` for each chapter, in the order of `names`.
    """
    cache = executed(book)
    free = asyncio.Semaphore(at_a_time)

    async def executed_once(name):
        notebook = read(book, name)
        cells = len(code_cells(notebook))
        if entry := cache.find(notebook):
            return Result(name, cells, entry.data["execution_seconds"], executed=False)
        async with free:
            advance = progress.start(name, cells)
            environ = compiled.variables_for(book, notebook)
            seconds = await run(notebook, name, book.cell_timeout, advance, **environ)
        data = {"execution_seconds": seconds, "code": code_digest(notebook), "environment": environment()}
        cache.store(notebook, name, data)
        return Result(name, cells, seconds, executed=True)

    return await side_by_side(map(executed_once, names))


def run_interruptibly(coroutine):
    """Runs a coroutine to its end; Ctrl-C cancels it and waits until its kernels are gone.

    It runs in a thread since nbclient takes over Ctrl-C in the main one and, with several notebooks, loses it.
    """
    loop = asyncio.new_event_loop()
    task = loop.create_task(coroutine)
    thread = threading.Thread(target=lambda: loop.run_until_complete(asyncio.wait([task])))
    thread.start()
    try:
        thread.join()
    except KeyboardInterrupt:
        loop.call_soon_threadsafe(task.cancel)
        thread.join()
        raise
    return task.result()


class Bars:
    """A progress bar for each chapter on a terminal; a plain line every few steps elsewhere.

    Args:
      unit: what is counted.
    """

    def __init__(self, console, unit="cells"):
        self.console, self.unit = console, unit
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal,
        )

    def start(self, name, count):
        task = self.progress.add_task(name, total=count)
        done = 0
        if not self.console.is_terminal:
            self.console.print(f"{name}: executing {count} {self.unit}", highlight=False)

        def advance():
            nonlocal done
            done += 1
            self.progress.advance(task)
            if not self.console.is_terminal and (done % 10 == 0 or done == count):
                self.console.print(f"{name}: {done} of {count} {self.unit}", highlight=False)

        return advance


def print_table(console, results):
    table = Table("chapter", "cells", "seconds", "source")
    for result in results:
        source = "executed" if result.executed else "from cache"
        table.add_row(result.chapter, str(result.cells), f"{result.seconds:.1f}", source)
    executed = sum(result.cells for result in results if result.executed)
    console.print(table)
    console.print(f"{executed} cells executed", highlight=False)


def prepare_data():
    """Prepares the data set, as the first call that loads it would.

    Raises:
      BookError: it could not; why has been said.
    """
    if processes.run([sys.executable, "-m", "flaxbook"]):
        raise BookError("the data set could not be prepared: put right what is said above, and run again")


def execute(book, names=()):
    """Executes what is not in the cache, prints a table, and forgets old caches.

    Args:
      names: of chapters; all by default.

    Returns:
      The folder of the cache.
    """
    names, console = names or book.chapters, Console()
    bars = Bars(console)
    path = cache_path(book)
    path.mkdir(parents=True, exist_ok=True)
    os.utime(path)
    if not all(map(executed(book).fetch, names)):
        prepare_data()
    with bars.progress, compiled.kept(book):
        results = run_interruptibly(execute_all(book, names, bars, os.cpu_count() or 1))
    forget_old_caches(book)
    print_table(console, results)
    return path
