import asyncio

from rich.console import Console

from ci.checks import costs
from ci.notebooks import make

CHAPTER, SHOWN = "book/part/one", "part/one"
COMPILE = """\
import jax

jax.jit(lambda x: x + 1)(1)
"""


class NoBars:
    def start(self, name, count):
        return lambda: None


def test_a_report_has_a_line_for_each_chapter_and_their_sum(book, capsys, execute, monkeypatch):
    execute()
    make.bring_up_to_date(book, make.all_notebooks(book), check=False)
    monkeypatch.setenv("COLUMNS", "200")
    costs.report(book, [CHAPTER], alone=False)
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith(f"│{SHOWN}"))
    assert [word.strip() for word in line.strip("│").split("│")] == [SHOWN, *"332221010"]


def test_what_can_be_summed_is(capsys):
    row = {"words": 1000, costs.LONGEST: 20}
    Console(width=99).print(costs.table({"one": row, "two": row}))
    last = capsys.readouterr().out.splitlines()[-2]
    assert [word.strip() for word in last.strip("│").split("│")] == ["sum", "2,000", ""]


def test_what_executing_costs_is_measured_in_the_chapter_itself(book, edit):
    edit(book.source(CHAPTER), "x = 1 + 1\n", f"{COMPILE}x = 1 + 1\n")
    found = asyncio.run(costs.costs(book, CHAPTER, NoBars()))
    assert found["compilations"] >= 1
    assert 0 < found["seconds compiling"] < found["seconds"]
