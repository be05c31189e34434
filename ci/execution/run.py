"""Executes each chapter once."""

import asyncio
import os
import sys
import threading
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from ci import _
from ci.book import BookError, processes, waiting
from ci.execution import compiled, frameworks, stored
from ci.execution.cache import begin, code_cells, code_digest, executed, forget_old_caches, read
from ci.execution.kernel import DeadKernel, run

SUMMARY = "{count} cells executed"


@dataclass
class Result:
    """One line of the closing table."""

    chapter: str
    cells: int
    seconds: float
    executed: bool
    from_notebook: bool = False
    error: BookError | None = None
    """Why it could not be executed; the outputs are then those of its notebook."""


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


async def execute_all(book, names, stage, at_a_time, keep_going=False):
    """Executes or fetches the chapters, up to `at_a_time` at once.

    The first chapter that fails stops the others, unless they are to keep going; but one whose kernel dies is executed
    once more, alone, when the others have ended, since what it was short of, such as memory, may have been taken by
    them.

    Returns:
      A `Result` for each chapter, in the order of `names`.

    Raises:
      DeadKernel: the kernel of a chapter has died again.
      BookError: as for `run`; if the others keep going, only as for `with_stored_outputs`.
    """
    cache = executed(book)
    free = asyncio.Semaphore(at_a_time)

    async def executed_once(name):
        notebook = read(book, name)
        cells = len(code_cells(notebook))
        if (entry := cache.renew(notebook)) and entry.was_executed:
            return Result(name, cells, entry.data["execution_seconds"], executed=False)
        if missing := frameworks.lacking(book, name):
            return without_frameworks(cache, name, missing)
        async with free:
            advance = stage.start(name, cells)
            environ = compiled.variables_for(book, notebook) | frameworks.variables(book, name)
            seconds = await run(notebook, name, book.cell_timeout, advance, **environ)
        cache.store_executed(notebook, name, seconds)
        return Result(name, cells, seconds, executed=True)

    async def survived(name):
        try:
            return await executed_once(name)
        except BookError as error:
            if keep_going or isinstance(error, DeadKernel):
                return error
            raise

    found = dict(zip(names, await side_by_side(map(survived, names)), strict=True))
    dead = {name: error for name, error in found.items() if isinstance(error, DeadKernel)}
    if dead:
        compiled.begin(book)  # throws away what has been compiled since: a program may be half written
    for name, error in dead.items():
        waiting.tell(_("{error}: executed once more, alone"), error=error)
        found[name] = await survived(name)
    still = [error for error in found.values() if isinstance(error, DeadKernel)]
    for error in still:
        waiting.tell(_("{error}, also alone"), error=error)
    if still and not keep_going:
        raise still[0]
    if still:
        compiled.begin(book)
    failed = {name: error for name, error in found.items() if isinstance(error, BookError)}
    return [taken_from_the_notebook(cache, name, failed[name]) if name in failed else found[name] for name in names]


def taken_from_the_notebook(cache, name, error=None):
    """The `Result` of a chapter that cannot be executed; its page gets the outputs of its notebook.

    Raises:
      BookError: as for `with_stored_outputs`.
    """
    notebook = stored.with_stored_outputs(cache.book, name)
    cache.store(notebook, name, {} if error else {stored.EXECUTION: stored.execution(cache.book, name)})
    return Result(name, len(code_cells(notebook)), 0.0, executed=False, from_notebook=True, error=error)


def without_frameworks(cache, name, missing):
    """As `taken_from_the_notebook`, for a chapter whose frameworks are not installed.

    Raises:
      BookError: the notebook is not that of the code.
    """
    modules = ", ".join(missing)
    if stored.execution(cache.book, name).get("code") != code_digest(read(cache.book, name)):
        sentence = _("{name}.md has other code than was executed last; without {modules} it cannot be: run {remedy}")
        raise BookError(sentence, name=name, modules=modules, remedy=frameworks.REMEDY)
    result = taken_from_the_notebook(cache, name)
    sentence = _("{name} was not executed, for want of {modules} ({remedy}); it keeps the outputs of its notebook")
    waiting.tell(sentence, name=name, modules=modules, remedy=frameworks.REMEDY)
    return result


def run_interruptibly(coroutine):
    """Runs a coroutine to its end; Ctrl-C cancels it and waits until its kernels are gone.

    It runs in a thread since nbclient takes over Ctrl-C in the main one and, with several notebooks, loses it. The end
    is an event since Python 3.11 takes a thread for ended whose `join` Ctrl-C has interrupted.
    """
    loop, ended = asyncio.new_event_loop(), threading.Event()
    task = loop.create_task(coroutine)

    def work():
        try:
            loop.run_until_complete(asyncio.wait([task]))
        finally:
            ended.set()

    threading.Thread(target=work).start()
    try:
        ended.wait()
    except KeyboardInterrupt:
        loop.call_soon_threadsafe(task.cancel)
        ended.wait()
        raise
    return task.result()


def print_table(console, results):
    table = Table("chapter", "cells", "seconds", "source")
    for result in results:
        kept = "from notebook" if result.from_notebook else "from cache"
        source = "failed" if result.error else "executed" if result.executed else kept
        table.add_row(result.chapter, str(result.cells), f"{result.seconds:.1f}", source)
    executed = sum(result.cells for result in results if result.executed)
    console.print(table)
    console.print(SUMMARY.format(count=executed), highlight=False)


def prepare_data():
    """Prepares the data set, as the first call that loads it would.

    Raises:
      BookError: it could not; why has been said.
    """
    if processes.run([sys.executable, "-m", "flaxbook"]):
        raise BookError("the data set could not be prepared: put right what is said above, and run again")


def to_execute(cache, name):
    """Whether a chapter is going to be executed."""
    entry = cache.fetch(name)
    return not (entry and entry.was_executed) and not frameworks.lacking(cache.book, name)


def execute(book, names=(), keep_going=False):
    """Executes what is not in the cache, prints a table, and forgets old caches.

    Args:
      names: of chapters; all by default.
      keep_going: whether the others are executed after one has failed, which then has the outputs of its notebook.

    Returns:
      The folder of the cache, and the errors of the chapters that have failed.
    """
    names, console = names or book.chapters, Console()
    cache = begin(book)
    cells = sum(len(code_cells(read(book, name))) for name in names if to_execute(cache, name))
    if cells:
        prepare_data()
    with waiting.stage(_("execution"), cells, _("cells")) as stage, compiled.kept(book):
        results = run_interruptibly(execute_all(book, names, stage, os.cpu_count() or 1, keep_going))
    forget_old_caches(book)
    print_table(console, results)
    return cache.path, [result.error for result in results if result.error]
