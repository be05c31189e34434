"""Print how long the chapters are, and how long this machine takes to execute them."""

from statistics import median

from nbformat.v4 import new_code_cell
from rich.console import Console
from rich.table import Column, Table

from ci import _
from ci.book import Book, display
from ci.execution import frameworks, stored
from ci.execution.cache import code_cells, read
from ci.execution.kernel import run
from ci.execution.run import prepare_data, run_interruptibly
from ci.notebooks import form
from ci.notebooks.faults import KINDS

LISTEN = """\
import jax as _jax
_spent = []
_jax.monitoring.register_event_duration_secs_listener(
    lambda event, spent, **_: event.endswith("/backend_compile_duration") and _spent.append(spent)
)
"""
TELL = "print(len(_spent), sum(_spent))"
CELLS, MEDIAN, LONGEST, VERDICTS = "cells", "median cell", "longest cell", "verdicts %"
NOT_SUMMED = {MEDIAN, LONGEST, VERDICTS}

Row = dict[str, float]  # {heading: number}


def length(book: Book, name: str) -> Row:
    """Return the measures of a chapter, such as its words, code cells, minutes to read and the KB of its notebook."""
    notebook = stored.with_stored_outputs(book, name)
    cells, lengths = code_cells(notebook), form.cell_lengths(notebook)
    return {
        "words": form.prose_words(notebook),
        "code lines": sum(form.lines(cell.source) for cell in cells),
        CELLS: len(cells),
        MEDIAN: median(lengths or [0]),
        LONGEST: max(lengths, default=0),
        "minutes": form.reading_minutes(notebook),
        VERDICTS: form.share_of_verdicts(notebook),
        "KB": book.notebook(name, book.source_language).stat().st_size / 1024,
        **{kind.name: len(kind.nodes(book, name)) for kind in KINDS},
    }


async def costs(book: Book, name: str, stage: display.Stage) -> Row:
    """Execute a chapter without any cache; return its seconds, and the number and the seconds of its compilations."""
    notebook = read(book, name)
    cells = code_cells(notebook)
    cells[0].source = LISTEN + cells[0].source
    notebook.cells.append(new_code_cell(TELL))
    advance, environ = stage.start(name, len(cells) + 1), frameworks.variables(book, name)
    seconds = await run(notebook, name, book.cell_timeout, advance, **environ)
    count, compiling = notebook.cells[-1].outputs[0].text.split()
    return {"seconds": seconds, "compilations": int(count), "seconds compiling": float(compiling)}


def table(rows: dict[str, Row]) -> Table:
    """Return the rows as a table, with a row of sums if there is more than one chapter."""
    headings = list(next(iter(rows.values())))
    shown = Table(Column("chapter", no_wrap=True), *headings, pad_edge=False, collapse_padding=True)
    for name, numbers in rows.items():
        shown.add_row(name.removeprefix("book/"), *(f"{number:,.0f}" for number in numbers.values()))
    if len(rows) > 1:
        sums = {heading: sum(numbers[heading] for numbers in rows.values()) for heading in headings}
        shown.add_section()
        shown.add_row("sum", *("" if key in NOT_SUMMED else f"{number:,.0f}" for key, number in sums.items()))
    return shown


def report(book: Book, names: list[str], alone: bool) -> None:
    """Print how long some chapters are and, if `alone`, what executing each of them by itself costs."""
    with display.stage(_("reading the chapters")):
        rows = {name: length(book, name) for name in names}
    if alone:
        frameworks.refuse_lacking(book, names)
        prepare_data(book.helper)
        cells = int(sum(row[CELLS] + 1 for row in rows.values()))
        with display.stage(_("executing each alone"), cells, _("cells")) as stage:
            rows = {name: row | run_interruptibly(costs(book, name, stage)) for name, row in rows.items()}
    Console().print(table(rows))
