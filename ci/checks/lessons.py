"""Check whether the lessons of a chapter hold: execute the chapter with variations, and evaluate each lesson.

The expression of a lesson is evaluated directly after the cell that shows the lesson, by an inserted cell, the probe.
"""

import asyncio
import json
import tempfile
from collections.abc import Iterable, Sequence
from copy import deepcopy

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from ci.book import Book, BookError, display
from ci.checks import prove
from ci.checks.prove import Outcome, reason
from ci.execution import compiled, frameworks
from ci.execution.cache import code_cells, read
from ci.execution.kernel import NOT_COUNTED, run
from ci.execution.run import side_by_side
from ci.notebooks.lessons import LESSONS, Change, Lesson, vary
from ci.notebooks.trials import place

Changes = tuple[Change, ...]
UNCHANGED = "the unchanged chapter"
PATIENCE = 5  # by which the timeout of a cell is multiplied in a variation
ANSWER = "the lesson: "
# The code of a probe. It runs in a namespace of its own and evaluates the expression in a copy of the names of the
# chapter. It prints, as JSON after `ANSWER`, why the lesson does not hold, or "".
QUESTION = f"""
import json
import numpy
try:
    value = eval(holds, dict(names))
    shown = " ".join(repr(value).split())[:100]
    why = "" if value is True or isinstance(value, numpy.bool_) and value else f"it is {{shown}}"
    if not isinstance(value, bool | numpy.bool_):
        why += ", neither True nor False: write a comparison, in bool() if it is of arrays"
except Exception as error:
    why = f"it raises {{type(error).__name__}}: {{' '.join(str(error).split()):.200}}"
print({ANSWER!r} + json.dumps(why))
"""


def executions(lessons: Iterable[Lesson]) -> dict[Changes, dict[Lesson, str]]:
    """Return {changes: {lesson: description of the changes}}: one item for each execution of the chapter.

    The first item has no changes and all lessons. Each other one has the changes of one or more equal variations, and
    the lessons that list these variations.
    """
    found: dict[Changes, dict[Lesson, str]] = {(): dict.fromkeys(lessons, UNCHANGED)}
    for lesson in found[()]:
        for variation in lesson.under:
            found.setdefault(variation.changes, {})[lesson] = variation.change
    return found


def insert_probes(notebook: NotebookNode, numbers: dict[Lesson, int]) -> dict[Lesson, NotebookNode]:
    """Insert a probe after each cell that shows a lesson, and delete the cells after the last probe.

    Args:
      numbers: {lesson: the number, from 0, of the code cell that shows it}.

    Returns:
      {lesson: its probe}.
    """
    prove.cut(notebook, max(numbers.values()))
    positions = [position for position, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
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
    return json.loads(lines[-1]) if lines else otherwise


async def ask(
    notebook: NotebookNode, lessons: Sequence[Lesson], changes: Changes, timeout: int, name: str = "", **variables: str
) -> dict[Lesson, str]:
    """Change the code of a chapter and execute it; return {lesson: why it does not hold, or ""}.

    Args:
      notebook: The chapter; it is modified.
      timeout: The seconds that a cell may take.
      variables: Environment variables of the kernel.
    """
    cells = code_cells(notebook)
    probes = insert_probes(notebook, {lesson: place(cells, "shown_by", lesson.shown_by) for lesson in lessons})
    vary(cells, changes)
    end = "nothing answered"
    try:
        await run(notebook, name, timeout, lambda: None, **variables)
    except BookError as error:
        end = reason(error)
    return {lesson: answer(probes[lesson], end) for lesson in lessons}


async def attempts(book: Book, name: str, free: asyncio.Semaphore, stage: display.Stage) -> Outcome:
    """Check all lessons of a chapter.

    The unchanged chapter is executed first, so that the variations reuse its compiled programs.
    """
    notebook, lessons = read(book, name), LESSONS.listed(book, name)
    planned, timeout = executions(lessons), PATIENCE * book.cell_timeout
    advance = stage.start(name, len(planned))

    async def try_one(changes: Changes) -> dict[Lesson, str]:
        async with free:
            asked = list(planned[changes])
            answers = await ask(deepcopy(notebook), asked, changes, timeout, name, **variables)
        advance()
        return answers

    with tempfile.TemporaryDirectory() as folder:
        variables = compiled.variables_for(notebook, folder) | frameworks.variables(book, name)
        unchanged, *variations = planned
        answers = [await try_one(unchanged), *await side_by_side(map(try_one, variations))]
    failed = [
        (lesson, f'"{lesson.sentence}", {planned[changes][lesson]}: {found[lesson]}')
        for lesson in lessons
        for changes, found in zip(planned, answers, strict=True)
        if found.get(lesson)
    ]
    held = len(lessons) - len({lesson for lesson, _complaint in failed})
    counts = {"lessons": len(lessons), "variations": len(variations), "held": held}
    return Outcome(counts, [complaint for _lesson, complaint in failed])


def report(book: Book, names: list[str]) -> int:
    """Check the lessons of some chapters, or of all; print which do not hold, and return the exit status."""
    names = prove.chosen(book, names, LESSONS)
    count = sum(len(executions(LESSONS.listed(book, name))) for name in names)
    with display.stage("varying", count, "executions") as stage:
        return prove.report(book, names, LESSONS, attempts, stage)
