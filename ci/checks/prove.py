"""Try the trials of chapters: execute each chapter with its changes, and print what is noticed and what holds.

The unchanged chapter is executed first: a cell whose output differs even then cannot notice a sabotage, and all other
executions reuse its compiled programs. The expression of a lesson is evaluated directly after the cell that shows the
lesson, by an inserted cell, the probe.
"""

import asyncio
import os
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Sequence
from copy import deepcopy
from itertools import chain, starmap
from typing import NamedTuple

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from rich.console import Console
from rich.table import Table

from ci.book import Book, BookError, display
from ci.execution import cache, compiled, frameworks
from ci.execution import run as execution
from ci.execution.cache import code_cells
from ci.execution.environment import environment, prepare_data
from ci.execution.kernel import NOT_COUNTED, CellError, run
from ci.execution.run import run_interruptibly, side_by_side
from ci.notebooks import faults, trials
from ci.notebooks.trials import Change, Lesson, Result, Sabotage, Trial, Trials, one_line, place, vary
from ci.outputs import compare

Complaint = tuple[Trial, str]  # a trial that failed, and a line that says why
COUNTS = ("sabotages", "noticed", "lessons", "variations", "held")  # of a `Result`
UNCHANGED = "the unchanged chapter"
PATIENCE = 5  # by which the timeout of a cell is multiplied, except under a sabotage
ANSWER = "the lesson: "
# The code of a probe. It runs in a namespace of its own and evaluates the expression in a copy of the names of the
# chapter. It prints, on a line after `ANSWER`, why the lesson does not hold, or "".
QUESTION = f"""
import numpy
try:
    value = eval(holds, dict(names))
    shown = " ".join(repr(value).split())[:100]
    why = "" if value is True or isinstance(value, numpy.bool_) and value else f"it is {{shown}}"
    if not isinstance(value, bool | numpy.bool_):
        why += ", neither True nor False: write a comparison, in bool() if it is of arrays"
except Exception as error:
    why = f"it raises {{type(error).__name__}}: {{' '.join(str(error).split()):.200}}"
print({ANSWER!r} + why)
"""


def reason(error: BookError) -> str:
    """Return in one line why an execution ended early, such as an error, a timeout or a dead kernel."""
    if isinstance(error, CellError):
        return f"code cell {error.cell} raises {error.kind}: {' '.join(error.value.split())[:200]}"
    return str(error).partition("\n")[0]


def insert_probes(notebook: NotebookNode, lessons: Iterable[Lesson], last: int) -> dict[Lesson, NotebookNode]:
    """Delete the cells after code cell `last`, from 0; insert a probe after each that shows a lesson; return them."""
    numbers = {lesson: place(notebook, lesson) for lesson in lessons}
    positions = [position for position, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    del notebook.cells[positions[last] + 1 :]
    probes = {}
    for lesson in sorted(numbers, key=lambda lesson: numbers[lesson], reverse=True):
        source = f"exec({QUESTION!r}, {{'names': globals(), 'holds': {lesson.holds!r}}})"
        probes[lesson] = new_code_cell(source, metadata={NOT_COUNTED: True})
        notebook.cells.insert(positions[numbers[lesson]] + 1, probes[lesson])
    return probes


def answer(probe: NotebookNode, otherwise: str) -> str:
    """Return what a probe printed: why the lesson does not hold, or "" if it does. If it did not run: `otherwise`."""
    text = "".join(output.text for output in probe.outputs if output.output_type == "stream")
    lines = [line.removeprefix(ANSWER) for line in text.splitlines() if line.startswith(ANSWER)]
    return lines[-1] if lines else otherwise


def shows(cell: NotebookNode, outputs: list[NotebookNode], ignored: Sequence[str]) -> bool:
    """Return whether the outputs of a cell equal the given ones, except `ignored` lines, within its tolerance."""
    return not compare.differences(outputs, cell.outputs, compare.tolerance(cell.metadata), ignored)


class Execution(NamedTuple):
    """The outcome of an execution: its cells, {lesson: why it does not hold, or ""}, the error that ended it early."""

    cells: list[NotebookNode]
    answers: dict[Lesson, str]
    error: BookError | None


async def execute(
    notebook: NotebookNode,
    changes: Iterable[Change],
    lessons: Iterable[Lesson],
    last: int,
    timeout: int,
    name: str = "",
    **variables: str,
) -> Execution:
    """Change the code of a chapter in place, and execute it up to code cell `last`, counted from 0."""
    cells, probes, error = code_cells(notebook), insert_probes(notebook, lessons, last), None
    vary(cells, changes)
    try:
        await run(notebook, name, timeout, lambda: None, **variables)
    except BookError as raised:
        error = raised
    end = reason(error) if error else "nothing answered"
    return Execution(cells, {lesson: answer(probe, end) for lesson, probe in probes.items()}, error)


def missed(
    sabotage: Sabotage, number: int, before: list[NotebookNode], executed: Execution, ignored: Sequence[str]
) -> str:
    """Return "" if a code cell, given its number from 0, shows what a sabotage must change, or else why not."""
    cell, error = executed.cells[number], executed.error
    if error:
        noticed = isinstance(error, CellError) and (error.cell, error.kind) == (number + 1, sabotage.error)
        return "" if noticed else reason(error)
    if sabotage.error and sabotage.error not in [output.get("ename") for output in cell.outputs]:
        return f"code cell {number + 1} does not raise {sabotage.error}"
    return f"code cell {number + 1} shows the same as before" if shows(cell, before, ignored) else ""


async def complaints(
    notebook: NotebookNode, listed: Trials, execute: Callable[..., Awaitable[Execution]], ignored: Sequence[str] = ()
) -> list[Complaint]:
    """Try the trials of an executed chapter; return those that failed, in the order of the list.

    `execute` is given changes, lessons, the number of the last cell, and a patience.
    """
    entries: list[Trial] = [*listed.sabotages, *listed.lessons]
    cells, numbers = code_cells(notebook), {trial: place(notebook, trial) for trial in entries}
    unchanged = await execute((), listed.lessons, max(numbers.values()))
    if unchanged.error:
        return [(trial, f"{UNCHANGED}: {reason(unchanged.error)}") for trial in entries]
    steady = [shows(new, old.outputs, ignored) for old, new in zip(cells, unchanged.cells, strict=True)]

    async def remove(sabotage: Sabotage) -> list[Complaint]:
        number = numbers[sabotage]
        why = f"code cell {number + 1} shows something else without any sabotage"
        if steady[number]:
            executed = await execute([Change(sabotage.replace, sabotage.by)], (), number, patience=1)
            why = missed(sabotage, number, cells[number].outputs, executed, ignored)
        return [(sabotage, f"{sabotage.cause}: {why}")] if why else []

    async def change(changes: tuple[Change, ...], words: dict[Lesson, str]) -> list[Complaint]:
        return untrue(await execute(changes, words, max(numbers[lesson] for lesson in words)), words)

    tried = [*map(remove, listed.sabotages), *starmap(change, listed.variations().items())]
    found = await side_by_side(tried)
    every = chain(untrue(unchanged, dict.fromkeys(listed.lessons, UNCHANGED)), *found)
    return sorted(every, key=lambda complaint: entries.index(complaint[0]))


def untrue(executed: Execution, words: dict[Lesson, str]) -> list[Complaint]:
    """Return the lessons that did not hold in an execution, whose changes are given in words."""
    answers = executed.answers.items()
    return [(lesson, f'"{one_line(lesson.lesson)}", {words[lesson]}: {why}') for lesson, why in answers if why]


async def prove(book: Book, name: str, free: asyncio.Semaphore, stage: display.Stage) -> tuple[Result, list[str]]:
    """Try the list of a chapter and store the result; return it with a line for each complaint.

    Raises:
      BookError: The chapter is not in the cache.
    """
    listed, digest = trials.listed(book, name), trials.digest(book, name)
    entry, advance = cache.executed(book).fetch(name), stage.start(name, executions(listed))
    if entry is None:
        raise BookError(f"{name} is not in the cache: run ./ci/book.sh build")

    async def execute_in_turn(
        changes: Iterable[Change], lessons: Iterable[Lesson], last: int, patience: int = PATIENCE
    ) -> Execution:
        async with free:
            chapter, timeout = deepcopy(entry.notebook), patience * book.cell_timeout
            outcome = await execute(chapter, changes, lessons, last, timeout, name, **variables)
        advance()
        return outcome

    with tempfile.TemporaryDirectory() as folder:
        variables = compiled.variables_for(entry.notebook, folder) | frameworks.variables(book, name)
        found = await complaints(entry.notebook, listed, execute_in_turn, book.lines_not_compared)
    failed, now = {trial for trial, _line in found}, environment(book.packages)
    noticed, held = (sum(trial not in failed for trial in some) for some in listed)
    counts = len(listed.sabotages), noticed, len(listed.lessons), len(listed.variations()), held
    result = Result(*counts, str(now["date"]), str(now.get("jax", "")), digest)
    trials.store(book, name, result)
    return result, [f"{name}, {line}" for _trial, line in found]


def executions(listed: Trials) -> int:
    """Return how often a chapter is executed to try its list: unchanged, with each sabotage, with each variation."""
    return 1 + len(listed.sabotages) + len(listed.variations())


def report(book: Book, names: list[str]) -> int:
    """Try the lists of some chapters, or of all; print the results; return 1 if an entry fails, or else 0.

    Raises:
      BookError: A list has a fault, none of the chapters has a list, or frameworks are not installed.
    """
    names = names or book.chapters
    faults.refuse([fault for name in names for fault in trials.faults(book, name)], "nothing was executed")
    chosen = {name: listed for name in names if any(listed := trials.listed(book, name))}
    if not chosen:
        raise BookError(f"there is no list of trials: write {book.relative(trials.path(book, names[0]))}")
    frameworks.refuse_lacking(book, chosen)
    execution.execute(book, list(chosen))
    prepare_data(book.helper)
    free, table = asyncio.Semaphore(os.cpu_count() or 1), Table("chapter", *COUNTS)
    with display.stage("trying", sum(map(executions, chosen.values()))) as stage:
        found = run_interruptibly(side_by_side(prove(book, name, free, stage) for name in chosen))
    for name, (result, _lines) in zip(chosen, found, strict=True):
        table.add_row(name, *(str(getattr(result, count)) for count in COUNTS))
    Console().print(table)
    lines = dict.fromkeys(line for _result, lines in found for line in lines)
    print(*lines, sep="\n", end="\n" if lines else "")
    return int(bool(lines))
