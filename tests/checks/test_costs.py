import asyncio

import pytest
from nbformat.v4 import new_output
from rich.console import Console

from ci.checks import costs
from ci.execution import run
from ci.notebooks import make
from tests.conftest import NoBars
from tests.execution.kernels import Kernels

CHAPTER, SHOWN = "book/part/one", "part/one"
COMPILE = """\
import jax

jax.jit(lambda x: x + 1)(1)
"""


def test_a_report_has_a_line_for_each_chapter_and_their_sum(book, capsys, execute, monkeypatch):
    monkeypatch.setattr(run, "run", Kernels().run)
    execute()
    make.bring_up_to_date(book, make.all_notebooks(book), check=False)
    monkeypatch.setenv("COLUMNS", "200")
    costs.report(book, [CHAPTER], alone=False)
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith(f"│{SHOWN}"))
    assert [word.strip() for word in line.strip("│").split("│")] == [SHOWN, *"3322210100"]


def test_what_can_be_summed_is(capsys):
    row = {"words": 1000, costs.LONGEST: 20}
    Console(width=99).print(costs.table({"one": row, "two": row}))
    last = capsys.readouterr().out.splitlines()[-2]
    assert [word.strip() for word in last.strip("│").split("│")] == ["sum", "2,000", ""]


def test_what_executing_costs_is_what_a_last_cell_prints(book, monkeypatch):
    async def execute(notebook, *arguments, **variables):
        notebook.cells[-1].outputs = [new_output("stream", text="2 0.5\n")]
        return 3.0

    monkeypatch.setattr(costs, "run", execute)
    found = asyncio.run(costs.costs(book, CHAPTER, NoBars()))
    assert found == {"seconds": 3.0, "compilations": 2, "seconds compiling": 0.5}


@pytest.mark.slow
def test_what_executing_costs_is_measured_in_the_chapter_itself(book, edit):
    edit(book.source(CHAPTER), "x = 1 + 1\n", f"{COMPILE}x = 1 + 1\n")
    found = asyncio.run(costs.costs(book, CHAPTER, NoBars()))
    assert found["compilations"] >= 1
    assert 0 < found["seconds compiling"] < found["seconds"]
