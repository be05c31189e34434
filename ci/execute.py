"""Executes each chapter once and keeps the outputs in a jupyter-cache that all languages and the notebooks share.

python -m ci.execute          execute what is not cached; print a table
python -m ci.execute --alone  the same, one chapter at a time
python -m ci.execute --path   print where the cache is
"""

import asyncio
import hashlib
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass

from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from myst_nb.core.read import read_myst_markdown_notebook
from myst_parser.config.main import MdParserConfig
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat.reader import NotJSONError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from sqlalchemy.exc import OperationalError

from ci.chapters import BookError, here
from ci.environment import environment
from ci.errors import reported

# No entry, or one whose writer was killed before its file was complete.
UNREADABLE = (KeyError, NotJSONError)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
ENTRY_VERSION = 2  # of what is stored beside a notebook
KEPT_CACHES = 3  # so that going back to another branch does not execute everything again


@dataclass
class Result:
    """One line of the closing table."""

    chapter: str
    cells: int
    seconds: float
    executed: bool


def fingerprint(book):
    """Names everything outside a chapter's code that its outputs depend on.

    jupyter-cache knows a notebook by its code alone. So each state of the helper module (with the version of the
    data in it), of the locked packages, of Python and of the choice of data set has a cache of its own.
    """
    digest = hashlib.sha256()
    for path in [book.root / "requirements.txt", *sorted((book.root / "flaxbook").glob("*.py"))]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update(repr((ENTRY_VERSION, sys.version_info[:2], os.environ.get("FLAXBOOK_DATASET", ""))).encode())
    return digest.hexdigest()[:16]


def cache_path(book):
    return book.root / "_build" / "cache" / fingerprint(book)


def read(book, name):
    """Reads a chapter as the site's build reads it, so that both find the same entry of the cache."""
    text = book.source(name).read_text(encoding="utf-8")
    return read_myst_markdown_notebook(text, config=MdParserConfig(), path=str(book.source(name)))


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def code_digest(notebook):
    """A digest of what decides the outputs: the code, and the tags by which nbclient runs it."""

    def acting(cell):
        return sorted({"raises-exception", "skip-execution"}.intersection(cell.metadata.get("tags", [])))

    cells = [(cell.source, acting(cell)) for cell in code_cells(notebook)]
    return hashlib.sha256(repr(cells).encode()).hexdigest()


def cached(cache, notebook):
    """Returns (notebook with outputs, what was stored with it), or None.

    An entry is also found by its code alone and is then stored again for the new metadata: a figure's description
    or a tag that only concerns the page is no reason to execute.
    """
    with suppress(*UNREADABLE):
        record = cache.match_cache_notebook(notebook)
        return cache.merge_match_into_notebook(notebook)[1], record.data
    code = code_digest(notebook)
    for record in cache.list_cache_records():
        if record.data.get("code") != code:
            continue
        try:
            old = cache.get_cache_bundle(record.pk).nb
        except UNREADABLE:
            continue
        for cell, before in zip(code_cells(notebook), old.cells, strict=True):
            cell.outputs, cell.execution_count = before.outputs, before.execution_count
        notebook.metadata["language_info"] = old.metadata["language_info"]
        store(cache, notebook, record.uri, record.data)
        return notebook, record.data
    return None


def store(cache, notebook, name, data):
    """Puts an executed notebook into the cache."""
    _, key = cache.create_hashed_notebook(notebook)
    shutil.rmtree(cache.path / "executed" / key, ignore_errors=True)  # what a killed writer may have left
    cache.cache_notebook_bundle(CacheBundleIn(notebook, name, data=data), overwrite=True)


async def run(notebook, name, timeout, on_cell):
    """Executes a notebook in a kernel of its own, in an empty folder.

    Args:
      notebook: changed in place.
      name: the chapter, for error messages.
      timeout: of each cell, in seconds.
      on_cell: called after each executed cell.

    Returns:
      Seconds of execution, the start of the kernel included.

    Raises:
      BookError: a cell raised, took too long, or killed the kernel.
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
            await client.async_execute()
        except CellExecutionError as error:
            plain = COLOUR.sub("", f"{name}, code cell {current}: {error.ename}: {error.evalue}\n\n{error}")
            raise BookError(plain) from error
        except CellTimeoutError as error:
            source = code_cells(notebook)[current - 1].source
            raise BookError(
                f"{name}, code cell {current}: not finished after {timeout} seconds\n\n{source}"
            ) from error
        except DeadKernelError as error:
            raise BookError(f"{name}, code cell {current}: the kernel died (out of memory?)") from error
    return time.monotonic() - start


async def execute_all(book, names, progress, at_a_time):
    """Executes or fetches the chapters, up to `at_a_time` at once.

    The first chapter that fails stops the others.

    Returns:
      A `Result` for each chapter, in the order of `names`.
    """
    cache = get_cache(cache_path(book))
    free = asyncio.Semaphore(at_a_time)

    async def one(name):
        notebook = read(book, name)
        cells = len(code_cells(notebook))
        if found := cached(cache, notebook):
            return Result(name, cells, found[1]["execution_seconds"], executed=False)
        async with free:
            advance = progress.start(name, cells)
            seconds = await run(notebook, name, book.cell_timeout, advance)
        data = {"execution_seconds": seconds, "code": code_digest(notebook), "environment": environment()}
        store(cache, notebook, name, data)
        return Result(name, cells, seconds, executed=True)

    failed = None
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(name)) for name in names]
    except* (BookError, OSError, OperationalError) as errors:
        failed = errors.exceptions[0]  # raised here, Python before 3.11.4 would wrap it again
    if failed:
        raise failed
    return [task.result() for task in tasks]


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
    """A progress bar for each chapter on a terminal; a plain line every few cells elsewhere."""

    def __init__(self, console):
        self.console = console
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal,
        )

    def start(self, name, cells):
        task = self.progress.add_task(name, total=cells)
        done = 0
        if not self.console.is_terminal:
            self.console.print(f"{name}: executing {cells} cells", highlight=False)

        def advance():
            nonlocal done
            done += 1
            self.progress.advance(task)
            if not self.console.is_terminal and (done % 10 == 0 or done == cells):
                self.console.print(f"{name}: {done} of {cells} cells", highlight=False)

        return advance


def print_table(console, results):
    table = Table("chapter", "cells", "seconds", "source")
    for result in results:
        source = "executed" if result.executed else "from cache"
        table.add_row(result.chapter, str(result.cells), f"{result.seconds:.1f}", source)
    executed = sum(result.cells for result in results if result.executed)
    console.print(table)
    console.print(f"{executed} cells executed", highlight=False)


def forget_old_caches(book):
    """Removes all but the caches used last."""
    caches = sorted(cache_path(book).parent.iterdir(), key=lambda path: path.stat().st_mtime)
    for path in caches[:-KEPT_CACHES]:
        shutil.rmtree(path)


def main():
    book = here()
    if "--path" in sys.argv:
        print(cache_path(book))
        return
    console = Console(width=None if sys.stdout.isatty() else 100)
    bars = Bars(console)
    at_a_time = 1 if "--alone" in sys.argv else os.cpu_count() or 1
    with reported():
        cache_path(book).mkdir(parents=True, exist_ok=True)
        os.utime(cache_path(book))
        with bars.progress:
            results = run_interruptibly(execute_all(book, book.chapters, bars, at_a_time))
        forget_old_caches(book)
        print_table(console, results)


if __name__ == "__main__":
    main()
