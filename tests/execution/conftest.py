"""An execution that needs no kernel, and nbval run on a small book."""

import nbformat
import pytest
from nbformat.v4 import new_output

from ci.book import Book
from ci.execution import nbval
from ci.execution.cache import code_cells, read

ONE, TWO = "book/part/one", "book/part/two"


@pytest.fixture
def two(book, edit):
    """The small book with a second chapter."""
    book.source(TWO).write_text(book.source(ONE).read_text(encoding="utf-8").replace("two is", "and two is"), "utf-8")
    edit(book.root / "_toc.yml", f"- file: {ONE}", f"- file: {ONE}\n      - file: {TWO}")
    return Book(book.root)


@pytest.fixture
def store(book):
    """Gives a chapter a notebook with outputs that no execution would give."""

    def store(name):
        notebook = read(book, name)
        for count, cell in enumerate(code_cells(notebook), start=1):
            cell.execution_count, cell.outputs = count, [new_output("stream", text="as stored\n")]
        book.notebook(name, "en").parent.mkdir(parents=True)
        nbformat.write(notebook, book.notebook(name, "en"))

    return store


class Reports:
    """A pytest plugin that keeps {cell: outcome}, and {cell: what was said of it} of those that did not pass."""

    def __init__(self):
        self.outcomes, self.said = {}, {}

    def pytest_collectreport(self, report):
        if report.failed:
            self.outcomes["collection"], self.said["collection"] = report.outcome, report.longreprtext

    def pytest_runtest_logreport(self, report):
        cell = report.nodeid.partition("::")[2]
        if report.when == "call" or not report.passed:
            self.outcomes[cell] = report.outcome
            self.said[cell] = str(report.longrepr[2] if report.skipped else report.longreprtext)


@pytest.fixture
def validate(monkeypatch, capsys):
    """Runs nbval on a notebook of a small book; returns the `Reports`."""

    def validate(book, path, *options):
        monkeypatch.setattr(nbval, "here", lambda: book)
        conftest = book.root / "notebooks" / "conftest.py"
        conftest.write_text("from ci.execution.nbval import pytest_addoption, pytest_collect_file")
        reports, words = Reports(), ["-p", "no:cacheprovider", "--rootdir", str(book.root), "--nbval"]
        pytest.main([*words, *options, str(path)], plugins=[reports])
        capsys.readouterr()
        return reports

    return validate
