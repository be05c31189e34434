"""An execution that needs no kernel, and nbval run on a small book."""

import asyncio
from collections import defaultdict

import pytest
from nbformat.v4 import new_output

from ci.book import Book
from ci.execution import nbval, run
from ci.execution.cache import code_cells

ONE, TWO = "book/part/one", "book/part/two"


class Kernels:
    """Stands in for `kernel.run`.

    Attributes:
      printed: what a cell that prints does print.
      errors: {chapter: the errors of its next executions}.
      runs: the chapters that were executed, in order.
      running: those that are being executed now.
      beside: {chapter: those that were being executed when it began last}.
    """

    def __init__(self):
        self.printed = "two is 2\n"
        self.errors, self.runs, self.running, self.beside = defaultdict(list), [], set(), {}

    async def run(self, notebook, name, timeout, on_cell, **variables):
        self.runs.append(name)
        self.beside[name] = set(self.running)
        self.running.add(name)
        await asyncio.sleep(0)
        self.running.remove(name)
        if self.errors[name]:
            raise self.errors[name].pop(0)
        for count, cell in enumerate(code_cells(notebook), start=1):
            text = self.printed if "print" in cell.source else "2\n"
            cell.outputs, cell.execution_count = [new_output("stream", text=text)], count
        notebook.metadata["language_info"] = {"name": "python"}
        return 1.5


@pytest.fixture
def kernels(monkeypatch):
    """Lets chapters be "executed" without a kernel."""
    kernels = Kernels()
    monkeypatch.setattr(run, "run", kernels.run)
    return kernels


@pytest.fixture
def two(book, edit):
    """The small book with a second chapter."""
    book.source(TWO).write_text(book.source(ONE).read_text(encoding="utf-8").replace("two is", "and two is"), "utf-8")
    edit(book.root / "_toc.yml", f"- file: {ONE}", f"- file: {ONE}\n      - file: {TWO}")
    return Book(book.root)


class Reports:
    """A pytest plugin that keeps the outcome of each cell, and what was said of those that did not pass."""

    def __init__(self):
        self.outcomes, self.said = {}, ""

    def pytest_runtest_logreport(self, report):
        cell = report.nodeid.partition("::")[2]
        if report.when == "call" or not report.passed:
            self.outcomes[cell] = report.outcome
            self.said += str(report.longrepr[2] if report.skipped else report.longreprtext)


@pytest.fixture
def validate(monkeypatch, capsys):
    """Runs nbval on a notebook of a small book; returns the `Reports`."""

    def validate(book, path, *options):
        monkeypatch.setattr(nbval, "here", lambda: book)
        conftest = book.root / "notebooks" / "conftest.py"
        conftest.write_text("from ci.execution.nbval import pytest_addoption, pytest_collect_file, pytest_configure")
        reports, words = Reports(), ["-p", "no:cacheprovider", "--rootdir", str(book.root), "--nbval"]
        pytest.main([*words, *options, str(path)], plugins=[reports])
        capsys.readouterr()
        return reports

    return validate
