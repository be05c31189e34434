"""A pytest plugin: nbval with the comparison of `ci.outputs.compare`, and clearer error messages.

By default each notebook is executed as the book is, before its first test. With `--executed` nothing is executed: the
outputs stored in the notebooks are compared with those in the cache, from which the book was built. A difference that
the environment announces is reported as expected.
"""

from collections.abc import Generator, Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any
from unittest.mock import patch

import nbformat
import pytest
from jupyter_client.kernelspec import NoSuchKernel
from nbval.plugin import (
    IPyNbCell,
    IPyNbFile,
    NbCellError,
    coalesce_streams,
    find_comment_markers,
    find_metadata_tags,
)

from ci.book import BookError, here
from ci.execution import environment, frameworks, kernel, saved
from ci.execution.cache import code_cells, code_digest, executed
from ci.execution.run import run_interruptibly
from ci.outputs import compare

EXECUTED = "--executed"
NATIVE = "python3"  # the kernel of this environment
ENVIRONMENT = "--environment"
REMEDY = """\
to put it right:
  the code was changed on purpose:      ./ci/book.sh refresh
  a number varies from run to run:      allow for it by a line below the fence of the cell: :tolerance: 1%
                                        or print it with fewer digits
  words, order or counts vary likewise: fix the seed, sort, or do not print them"""
Collected = Generator[None, list[pytest.Collector], list[pytest.Collector]]
NOT_COMPARED = {("check", False), ("skip", True)}  # as nbval parses its comments and tags


def exempt(cell: nbformat.NotebookNode) -> bool:
    """Return whether a tag or a comment keeps nbval from comparing the output of a cell."""
    return bool(NOT_COMPARED.intersection([*find_comment_markers(cell.source), *find_metadata_tags(cell.metadata)]))


class Cell(IPyNbCell):
    """A code cell whose outputs are compared by `ci.outputs.compare`."""

    parent: "Notebook"

    def runtest(self) -> None:
        """Compare the stored outputs with those of an execution."""
        if self.cell.source and self.cell.execution_count is None:
            self.raise_cell_error("never executed, so there is nothing to compare with: run ./ci/book.sh refresh")
        if self.options["skip"]:
            pytest.skip("a tag or a comment of the cell skips it")
        self.parent.refuse_unfinished(self.cell_num)
        fresh = self.parent.executed[self.cell_num].outputs
        errors = [output for output in fresh if output.output_type == "error"]
        if errors and not self.options["check_exception"]:
            self.raise_cell_error("Cell execution caused an exception", "\n" + "\n".join(errors[-1].traceback))
        outputs = coalesce_streams(deepcopy(fresh)), coalesce_streams(self.cell.outputs)
        if self.options["check"] and not self.compare_outputs(*outputs):
            self.raise_cell_error("Cell outputs differ", "\n".join(self.comparison_traceback))

    def compare_outputs(self, test: list[Any], ref: list[Any], skip_compare: object = None) -> bool:
        """Return whether fresh outputs (`test`) match stored ones (`ref`), and store what is said if they do not."""
        book, tolerance = here(), compare.tolerance(self.cell.metadata)
        differences = compare.differences(ref, test, tolerance, book.lines_not_compared)
        if environment.announces(book, differences, self.config.getoption(ENVIRONMENT)):
            pytest.xfail("announced in the chapter")
        self.comparison_traceback = [compare.said(differences, tolerance), REMEDY]
        return not differences

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:
        """Return the message of a failure: the place, the error and the code of the cell."""
        error = excinfo.value
        if isinstance(error, pytest.fail.Exception):
            return str(error)
        where = f"{self.parent.relative()}, code cell {self.cell_num + 1}: {error}"
        if not isinstance(error, NbCellError):
            return where
        traceback = error.inner_traceback or ""
        name = kernel.COLOUR.sub("", traceback).strip().splitlines()[-1:] if str(error).endswith("exception") else []
        return "\n".join([where, *name, traceback, "code of the cell:", error.source])


class Notebook(IPyNbFile):
    """A notebook whose code cells are tests of the class `Cell`."""

    nb: nbformat.NotebookNode
    executed: Sequence[nbformat.NotebookNode] = ()
    """The code cells as executed, in the cache with `--executed`; none before that, or if frameworks are missing."""
    waiting: Sequence[int] = ()
    """The numbers of the code cells, from 0, that were not executed to their end, since the kernel died or so."""
    ended = ""  # why

    def relative(self) -> Path:
        """Return the path of the notebook relative to the root of pytest."""
        return self.path.relative_to(self.config.rootpath)

    def chapter(self) -> str:
        """Return the name of the chapter of this notebook, such as "book/training/batch_norm", in any language."""
        folders = self.path.with_suffix("").parts
        language = len(folders) - folders[::-1].index("notebooks")
        return Path("book", *folders[language + 1 :]).as_posix()

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a `Cell` for each code cell; raise CollectError, by which only this notebook fails, if that fails."""
        try:
            with patch("nbval.plugin.nbformat.read", return_value=self.repaired()):
                cells = list(super().collect())
            if self.config.getoption(EXECUTED):
                self.executed = self.cells_as_executed()
        except BookError as error:
            self.config.option.continue_on_collection_errors = True
            raise self.CollectError(f"{self.relative()}: {error}") from error
        for cell in cells:
            name = f"code cell {cell.cell_num + 1}"  # nbval counts from 0 here, and from 1 in its messages
            yield Cell.from_parent(self, name=name, cell_num=cell.cell_num, cell=cell.cell, options=cell.options)

    def repaired(self) -> nbformat.NotebookNode:
        """Read and return the notebook, also with small faults; raise BookError if that is impossible."""
        try:
            return saved.parse(self.path.read_bytes())
        except BookError as error:
            raise BookError(f"cannot be read: {error}: ./ci/book.sh refresh says how to put it right") from error

    def cells_as_executed(self) -> Sequence[nbformat.NotebookNode]:
        """Return the code cells of the chapter from the cache, none for want of frameworks.

        Raises:
          BookError: The chapter was not executed, or its code differs from that of the notebook.
        """
        book, name = here(), self.chapter()
        entry = executed(book).fetch(name) if name in book.chapters else None
        if not entry or not entry.was_executed:
            if frameworks.lacking(book, name):
                return ()
            raise BookError("its chapter was not executed, or failed: run ./ci/book.sh build, and see what it says")
        if code_digest(entry.notebook) != code_digest(self.nb):
            raise BookError(f"it has other code than {name}.md: run ./ci/book.sh refresh")
        return code_cells(entry.notebook)

    def setup(self) -> None:
        """Execute the notebook, except with `--executed`; skip it if its frameworks are not installed."""
        if self.executed:
            return
        book, chapter = here(), self.chapter()
        if self.config.option.nbval_kernel_name:  # a kernel elsewhere, which may have other packages
            missing, remedy = frameworks.needed(book, chapter), ""
        else:
            missing, remedy = frameworks.lacking(book, chapter), f": run {frameworks.REMEDY}"
        if missing:
            pytest.skip(f"not executed, since it needs {', '.join(missing)}{remedy}")
        self.execute(frameworks.variables(book, chapter))

    def execute(self, variables: dict[str, str]) -> None:
        """Execute a copy of the notebook with the given environment variables, going on after errors."""
        option, notebook = self.config.option, deepcopy(self.nb)
        usual = notebook.metadata.get("kernelspec", {}).get("name", NATIVE)
        name = option.nbval_kernel_name or (NATIVE if option.nbval_current_env else usual)
        notebook.metadata.kernelspec = nbformat.from_dict({"name": name})
        self.executed = code_cells(notebook)
        for cell in self.executed:
            cell.metadata.tags = [*cell.metadata.get("tags", []), "raises-exception"]  # the others are still executed
        self.waiting = waiting = [number for number, cell in enumerate(self.executed) if cell.source.strip()]
        limit, file = option.nbval_cell_timeout, str(self.relative())
        execution = kernel.run(notebook, file, limit, lambda: waiting.pop(0), **variables)
        try:
            run_interruptibly(execution)
        except BookError as error:
            if isinstance(error.__cause__, NoSuchKernel):
                pytest.fail(f"{file}: no kernel named {name!r} on this machine", pytrace=False)
            self.ended = str(error)

    def refuse_unfinished(self, number: int) -> None:
        """Let a cell fail that was not executed to its end; skip those after it."""
        if number in self.waiting:
            if number != self.waiting[0]:
                pytest.skip(f"not executed, since code cell {self.waiting[0] + 1} has ended the execution")
            pytest.fail(self.ended, pytrace=False)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options `--executed` and `--environment`."""
    parser.addoption(EXECUTED, action="store_true", help="compare with what the book is built from; execute nothing")
    parser.addoption(ENVIRONMENT, default=environment.LOCK, help="of book/environments.toml: %(default)s")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Collected:
    """Replace each notebook that nbval collects by a `Notebook`."""
    collected = yield
    return [Notebook.from_parent(parent, path=file_path) if type(found) is IPyNbFile else found for found in collected]
