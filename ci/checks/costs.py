"""Says how long the chapters are, and what executing them costs on this machine."""

from nbformat.v4 import new_code_cell
from rich.console import Console
from rich.table import Table

from ci import _
from ci.book import waiting
from ci.catalogues.sentences import say
from ci.execution import frameworks, stored
from ci.execution.cache import code_cells, read
from ci.execution.kernel import run
from ci.execution.run import prepare_data, run_interruptibly
from ci.notebooks import form

LISTEN = """\
import jax as _jax
_spent = []
_jax.monitoring.register_event_duration_secs_listener(
    lambda event, spent, **_: event.endswith("/backend_compile_duration") and _spent.append(spent)
)
"""
TELL = "print(len(_spent), sum(_spent))"
CHAPTER, SUM = _("chapter"), _("sum")
WORDS, CELLS, MINUTES = _("words"), _("code cells"), _("minutes to read")
LONGEST, WIDE, VERDICTS = _("longest cell"), _("lines too wide"), _("bare verdicts (%)")
SECONDS, COMPILATIONS, COMPILING = _("seconds"), _("compilations"), _("seconds compiling")
NOT_SUMMED = {LONGEST, VERDICTS}


def measures(notebook):
    """The form of an executed chapter, {heading: number}."""
    cells = code_cells(notebook)
    return {
        WORDS: form.prose_words(notebook),
        CELLS: len(cells),
        LONGEST: form.longest(notebook),
        WIDE: sum(len(form.wide_lines(cell)) for cell in cells),
        VERDICTS: form.share_of_verdicts(notebook),
        MINUTES: form.reading_minutes(notebook),
    }


async def costs(book, name, stage):
    """Executes a chapter, with nothing from a cache; returns what that costs, {heading: number}."""
    notebook = read(book, name)
    cells = code_cells(notebook)
    cells[0].source = LISTEN + cells[0].source
    notebook.cells.append(new_code_cell(TELL))
    advance, environ = stage.start(name, len(cells) + 1), frameworks.variables(book, name)
    seconds = await run(notebook, name, book.cell_timeout, advance, **environ)
    count, compiling = notebook.cells[-1].outputs[0].text.split()
    return {SECONDS: seconds, COMPILATIONS: int(count), COMPILING: float(compiling)}


async def costs_one_by_one(book, names, stage):
    """{chapter: as `costs`}, each with the machine to itself."""
    return {name: await costs(book, name, stage) for name in names}


def table(rows):
    """A table of {chapter: {heading: number}}, with a sum below if there is more than one chapter."""
    headings = list(next(iter(rows.values())))
    shown = Table(say(CHAPTER), *map(say, headings))
    for name, numbers in rows.items():
        shown.add_row(name, *(f"{number:,.0f}" for number in numbers.values()))
    if len(rows) > 1:
        sums = {heading: sum(numbers[heading] for numbers in rows.values()) for heading in headings}
        shown.add_section()
        shown.add_row(say(SUM), *("" if key in NOT_SUMMED else f"{number:,.0f}" for key, number in sums.items()))
    return shown


def report(book, names, alone):
    """Prints how long some chapters are, and what executing each alone costs if that is asked for."""
    console = Console()
    with waiting.stage(_("reading the chapters")):
        rows = {name: measures(stored.with_stored_outputs(book, name)) for name in names}
    if alone:
        frameworks.refuse_lacking(book, names)
        prepare_data()
        cells = sum(row[CELLS] + 1 for row in rows.values())
        with waiting.stage(_("executing each alone"), cells, _("cells")) as stage:
            found = run_interruptibly(costs_one_by_one(book, names, stage))
        rows = {name: rows[name] | found[name] for name in names}
    console.print(table(rows))
