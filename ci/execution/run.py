"""Execute each chapter once; a chapter whose kernel dies is executed once more, alone."""

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
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
from ci.execution.cache import Cache, begin, code_cells, code_digest, executed, forget_old_caches, read
from ci.execution.environment import prepare_data
from ci.execution.kernel import DeadKernel, run_here

SUMMARY = "{count} cells executed"
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

    @property
    def executed(self) -> bool:
        """Whether the chapter was executed."""
        return self.source == "executed"


async def side_by_side(coroutines: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run coroutines concurrently; return their results, in order. The first that fails cancels the others."""
    failed = None
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(coroutine) for coroutine in coroutines]
    except* (BookError, OSError) as errors:
        failed = errors.exceptions[0]  # raised here, Python before 3.11.4 would wrap it again
    if failed:
        raise failed
    return [task.result() for task in tasks]


async def execute_chapter(
    cache: Cache, name: str, stage: display.Stage, free: asyncio.Semaphore, anew: bool, run_in: Run
) -> Result:
    """Execute a chapter and store it in the cache, unless the cache has its outputs; return the `Result`."""
    notebook = read(cache.book, name)
    cells = len(code_cells(notebook))
    if not anew and (entry := cache.renew(notebook)) and entry.was_executed:
        return Result(name, cells, entry.data["execution_seconds"], "from cache")
    if missing := frameworks.lacking(cache.book, name):
        return without_frameworks(cache, name, missing)
    async with free:
        data = await run_in(cache.book, notebook, name, stage.start(name, cells))
    cache.store(notebook, name, data | {"code": code_digest(notebook)})
    return Result(name, cells, data["execution_seconds"], "executed")


async def execute_all(
    book: Book,
    names: Sequence[str],
    stage: display.Stage,
    at_a_time: int,
    keep_going: bool = False,
    anew: bool = False,
    run_in: Run = run_here,
) -> list[Result]:
    """Execute the chapters, or fetch them from the cache, up to `at_a_time` at once.

    The first chapter that fails stops the others, unless `keep_going`; for this and `anew` see `execute`. A chapter
    whose kernel dies is executed once more, alone, when the others have ended: they may have taken its memory.

    Raises:
      BookError: A chapter failed; with `keep_going`, the outputs of its notebook cannot be used either.
    """
    cache, free = executed(book), asyncio.Semaphore(at_a_time)

    async def attempt(name: str) -> Result | BookError:
        """Return the result of a chapter, or its error if the other chapters go on."""
        try:
            return await execute_chapter(cache, name, stage, free, anew, run_in)
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
    """Use the outputs of the notebook for a chapter whose frameworks are not installed, and print a message.

    Raises:
      BookError: The code of the chapter has changed since its last execution.
    """
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


def print_table(console: Console, results: Sequence[Result]) -> None:
    """Print a table with a row for each chapter, and the number of executed cells."""
    table = Table("chapter", "cells", "seconds", "source")
    for result in results:
        table.add_row(result.chapter, str(result.cells), f"{result.seconds:.1f}", result.source)
    console.print(table)
    count = sum(result.cells for result in results if result.executed)
    console.print(SUMMARY.format(count=count), highlight=False)


@contextmanager
def place(book: Book) -> Iterator[tuple[Run, int]]:
    """Prepare the data set where chapters are executed: on a Ray cluster whose address is in `CLUSTER`, or else here.

    Yields:
      The function that executes a chapter there, and how many it can execute at a time.
    """
    if address := os.environ.get(CLUSTER):
        from ci.execution.cluster import Cluster  # imports Ray

        cluster = Cluster(book, address)
        with cluster.joined() as processors:
            yield cluster.run, processors
    else:
        prepare_data(book.helper)
        yield run_here, os.cpu_count() or 1


def in_cache(cache: Cache, names: Iterable[str]) -> list[str]:
    """Return those of the given chapters that are in the cache with outputs from an execution."""
    records = {name: cache.match(read(cache.book, name)) for name in names}
    return [name for name, record in records.items() if record and "execution_seconds" in record.data]


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
    names, console = names or book.chapters, Console()
    cache = begin(book)
    known = [] if anew else in_cache(cache, names)
    to_execute = [name for name in names if name not in known and not frameworks.lacking(book, name)]
    cells = sum(len(code_cells(read(book, name))) for name in to_execute)
    with (
        place(book) if cells else nullcontext((run_here, 1)) as (run_in, at_a_time),
        display.stage(_("execution"), cells) as stage,
        compiled.kept(book),
    ):
        results = run_interruptibly(execute_all(book, names, stage, at_a_time, keep_going, anew, run_in))
    forget_old_caches(book)
    print_table(console, results)
    return cache.path, [result.error for result in results if result.error]
