"""Execute each chapter once; a chapter whose kernel dies is executed once more, alone."""

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from nbformat import NotebookNode
from rich.console import Console
from rich.table import Table

from ci import _
from ci.book import Book, BookError, display
from ci.execution import compiled, frameworks, stored
from ci.execution.cache import Cache, code_cells, code_digest, executed, forget_old_caches, read
from ci.execution.environment import prepare_data
from ci.execution.kernel import DeadKernel, run_here

CLUSTER = "FLAXBOOK_CLUSTER"  # an environment variable: the address of a Ray cluster that executes the chapters
T = TypeVar("T")
Run = Callable[[Book, NotebookNode, str, Callable[[], object]], Awaitable[dict[str, Any]]]  # such as `run_here`


@dataclass
class Result:
    """The result of a chapter, a row of the table that `execute` prints."""

    chapter: str
    cells: int
    seconds: float
    source: str
    """Where the outputs come from: "executed", "from cache", "from notebook", or "failed" with an error."""
    error: BookError | None = None
    """Why the chapter could not be executed; its outputs are then those of its notebook."""


async def side_by_side(coroutines: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run coroutines concurrently; return their results, in order. The first that fails cancels the others."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(coroutine) for coroutine in coroutines]
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [task.result() for task in tasks]


def in_cache(cache: Cache, names: Iterable[str]) -> dict[str, Result]:
    """Return {chapter: result} of those of the given chapters that are in the cache with outputs of an execution."""
    found = {}
    for name in names:
        notebook = read(cache.book, name)
        data = cache.renew(notebook)
        if "execution_seconds" in data:
            found[name] = Result(name, len(code_cells(notebook)), data["execution_seconds"], "from cache")
    return found


async def execute_chapter(
    cache: Cache, name: str, stage: display.Stage, free: asyncio.Semaphore, run_in: Run
) -> Result:
    """Execute a chapter and store it in the cache; return the `Result`."""
    if missing := frameworks.lacking(cache.book, name):
        return without_frameworks(cache, name, missing)
    notebook = read(cache.book, name)
    cells = len(code_cells(notebook))
    async with free:
        data = await run_in(cache.book, notebook, name, stage.start(name, cells))
    cache.store(notebook, name, data | {"code": code_digest(notebook)})
    return Result(name, cells, data["execution_seconds"], "executed")


async def execute_all(
    book: Book,
    names: Sequence[str],
    known: Mapping[str, Result],
    stage: display.Stage,
    at_a_time: int,
    keep_going: bool = False,
    run_in: Run = run_here,
) -> list[Result]:
    """Execute the chapters that are not `known`, up to `at_a_time` at once; return the results of all.

    The first chapter that fails stops the others, unless `keep_going`; see `execute`. A chapter whose kernel dies is
    executed once more, alone, when the others have ended: they may have taken its memory.

    Raises:
      BookError: A chapter failed; with `keep_going`, the outputs of its notebook cannot be used either.
    """
    cache, free = executed(book), asyncio.Semaphore(at_a_time)

    async def attempt(name: str) -> Result | BookError:
        """Return the result of a chapter, or its error if the other chapters go on."""
        try:
            return known.get(name) or await execute_chapter(cache, name, stage, free, run_in)
        except BookError as error:
            if keep_going or isinstance(error, DeadKernel):
                return error
            raise

    async def attempt_alone(name: str, error: DeadKernel) -> Result | BookError:
        compiled.begin(book)  # a program may be half written: delete those that were compiled since the start
        display.tell(_("{error}: executed once more, alone"), error=error)
        outcome = await attempt(name)
        if isinstance(outcome, DeadKernel):
            compiled.begin(book)
            display.tell(_("{error}, also alone"), error=outcome)
        return outcome

    results = []
    for name, outcome in zip(names, await side_by_side(map(attempt, names)), strict=True):
        if isinstance(outcome, DeadKernel):
            outcome = await attempt_alone(name, outcome)
        if isinstance(outcome, BookError):
            if not keep_going:
                raise outcome
            outcome = taken_from_the_notebook(cache, name, outcome)
        results.append(outcome)
    return results


def taken_from_the_notebook(cache: Cache, name: str, error: BookError | None = None) -> Result:
    """Store a chapter that cannot be executed in the cache, with the outputs of its notebook; return the `Result`."""
    notebook = stored.with_stored_outputs(cache.book, name)
    cache.store(notebook, name, {} if error else {stored.EXECUTION: stored.execution(cache.book, name)})
    return Result(name, len(code_cells(notebook)), 0.0, "failed" if error else "from notebook", error)


def without_frameworks(cache: Cache, name: str, missing: Sequence[str]) -> Result:
    """Use the outputs of the notebook, or raise BookError if they are of other code, where frameworks are missing."""
    modules = ", ".join(missing)
    if stored.execution(cache.book, name).get("code") != code_digest(read(cache.book, name)):
        sentence = _("{name}.md has other code than was executed last; without {modules} it cannot be: run {remedy}")
        raise BookError(sentence, name=name, modules=modules, remedy=frameworks.REMEDY)
    result = taken_from_the_notebook(cache, name)
    sentence = _("{name} was not executed, for want of {modules} ({remedy}); it keeps the outputs of its notebook")
    display.tell(sentence, name=name, modules=modules, remedy=frameworks.REMEDY)
    return result


def run_interruptibly(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine and return its result; on Ctrl-C, cancel it and wait until its kernels have ended.

    It runs in a thread, since nbclient handles Ctrl-C in the main thread and, with several notebooks, loses it. The
    end is an event, since Python 3.11 regards a thread as ended when Ctrl-C has interrupted its `join`.
    """
    loop, ended = asyncio.new_event_loop(), threading.Event()
    task = loop.create_task(coroutine)

    def work() -> None:
        try:
            loop.run_until_complete(asyncio.wait([task]))
        finally:
            ended.set()

    try:
        threading.Thread(target=work).start()
        ended.wait()
    except KeyboardInterrupt:
        loop.call_soon_threadsafe(task.cancel)
        ended.wait()
        raise
    return task.result()


def print_table(results: Sequence[Result]) -> None:
    """Print a table with a row for each chapter, and the number of executed cells."""
    console, table = Console(), Table("chapter", "cells", "seconds", "source")
    for result in results:
        table.add_row(result.chapter, str(result.cells), f"{result.seconds:.1f}", result.source)
    console.print(table)
    count = sum(result.cells for result in results if result.source == "executed")
    console.print(f"{count} cells executed", highlight=False)


@contextmanager
def place(book: Book) -> Iterator[tuple[Run, int]]:
    """Prepare the data where chapters are executed: on a Ray cluster whose address is in `CLUSTER`, or else here.

    Yield the function that executes a chapter there, and how many it can execute at a time.
    """
    if address := os.environ.get(CLUSTER):
        from ci.execution.cluster import Cluster  # imports Ray

        cluster = Cluster(book, address)
        with cluster.joined() as processors:
            yield cluster.run, processors
    else:
        prepare_data(book.helper)
        yield run_here, os.cpu_count() or 1


def execute(
    book: Book, names: Sequence[str] = (), keep_going: bool = False, anew: bool = False
) -> tuple[Path, list[BookError]]:
    """Execute the chapters that are not in the cache, print a table of the results, and delete old caches.

    Args:
      names: The chapters; all by default.
      keep_going: Whether to go on when a chapter fails; the outputs of its notebook are then used.
      anew: Whether to execute the chapters even if they are in the cache.

    Returns:
      The folder of the cache, and the errors of the chapters that have failed.
    """
    names, cache = names or book.chapters, executed(book)
    cache.prepare()
    known = {} if anew else in_cache(cache, names)
    to_execute = [name for name in names if name not in known and not frameworks.lacking(book, name)]
    cells = sum(len(code_cells(read(book, name))) for name in to_execute)
    with (
        place(book) if cells else nullcontext((run_here, 1)) as (run_in, at_a_time),
        display.stage(_("execution"), cells) as stage,
        compiled.kept(book),
    ):
        results = run_interruptibly(execute_all(book, names, known, stage, at_a_time, keep_going, run_in))
    forget_old_caches(book)
    print_table(results)
    return cache.path, [result.error for result in results if result.error]
