"""A pytest plugin: nbval with the comparison of `ci.outputs.compare`, and clearer error messages.

By default nbval executes the notebooks in its own kernel. With `--executed` it executes nothing: the outputs stored in
the notebooks are compared with those in the cache, from which the book was built. A difference that the environment
announces is reported as expected.
"""

import ast
import re
import time
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from queue import Empty
from typing import Any

import nbformat
import pytest
from jupyter_client.kernelspec import NoSuchKernel
from nbval.kernel import RunningKernel
from nbval.plugin import (
    IPyNbCell,
    IPyNbFile,
    NbCellError,
    coalesce_streams,
    find_comment_markers,
    find_metadata_tags,
)

from ci.book import BookError, here
from ci.execution import environments, frameworks
from ci.execution.cache import code_cells, code_digest, executed
from ci.execution.kernel import TIME_TO_END
from ci.outputs import compare

EXECUTED = "--executed"
ENVIRONMENT = "--environment"
ANNOUNCED = "announced in the chapter"
START = 60  # seconds for a kernel to answer, as in nbval
LOOK_AFTER = 2  # seconds between two checks whether the kernel is alive
REMEDY = """\
to put it right:
  the code was changed on purpose:      ./ci/book.sh refresh
  a number varies from run to run:      allow for it by a line below the fence of the cell: :tolerance: 1%
                                        or print it with fewer digits
  words, order or counts vary likewise: fix the seed, sort, or do not print them"""
Collected = Generator[None, list[pytest.Collector], list[pytest.Collector]]
COLOUR = re.compile(r"\x1b\[[\d;]*m")
NOT_COMPARED = {("check", False), ("skip", True)}  # as nbval parses its comments and tags


def exempt(cell: nbformat.NotebookNode) -> bool:
    """Return whether a tag or a comment keeps nbval from comparing the output of a cell."""
    return bool(NOT_COMPARED.intersection([*find_comment_markers(cell.source), *find_metadata_tags(cell.metadata)]))


class Kernel(RunningKernel):
    """A running kernel of nbval whose death is reported within seconds, not at the end of the cell's timeout."""

    def __init__(self, started: RunningKernel) -> None:
        self.km, self.kc = started.km, started.kc
        self.km.shutdown_wait_time = TIME_TO_END

    def await_reply(self, msg_id: str, timeout: float) -> None:
        """Wait until the kernel has executed a cell; raise RuntimeError if the kernel dies."""
        deadline = time.monotonic() + timeout
        while True:
            try:
                return super().await_reply(msg_id, timeout=min(LOOK_AFTER, timeout))
            except Empty:
                if not self.is_alive():
                    raise RuntimeError("the kernel died (out of memory?)") from None
                if time.monotonic() > deadline:
                    raise

    def lacking(self, modules: list[str]) -> list[str]:
        """Return those of the given modules that the kernel cannot find."""
        expression = f"[name for name in {modules} if not __import__('importlib.util').util.find_spec(name)]"
        options = {"silent": True, "user_expressions": {"lacking": expression}, "output_hook": lambda _message: None}
        reply = self.kc.execute_interactive("", timeout=START, allow_stdin=False, **options)
        return ast.literal_eval(reply["content"]["user_expressions"]["lacking"]["data"]["text/plain"])

    def stop(self) -> None:
        """Shut the kernel down, so that it ends its child processes; nbval would kill it, and they would remain."""
        self.km.shutdown_kernel()
        super().stop()


class Broken(pytest.Item):
    """A test that fails, in place of a notebook that cannot be validated, so that the others still are."""

    def __init__(self, *, reason: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.reason = reason

    def runtest(self) -> None:
        """Fail with the reason."""
        pytest.fail(self.reason, pytrace=False)


class Cell(IPyNbCell):
    """A code cell whose outputs are compared by `ci.outputs.compare`."""

    parent: "Notebook"

    def runtest(self) -> None:
        """Compare the stored outputs with those of the execution in the cache, or execute the cell and compare."""
        if self.cell.source and self.cell.execution_count is None:
            self.raise_cell_error("never executed, so there is nothing to compare with: run ./ci/book.sh refresh")
        if not self.parent.executed:
            super().runtest()
        elif self.options["skip"]:
            pytest.skip("a tag or a comment of the cell skips it")
        elif self.options["check"]:
            fresh = coalesce_streams(self.parent.executed[self.cell_num].outputs)
            if not self.compare_outputs(fresh, coalesce_streams(self.cell.outputs)):
                self.raise_cell_error("Cell outputs differ", "\n".join(self.comparison_traceback))

    def compare_outputs(self, test: list[Any], ref: list[Any], skip_compare: object = None) -> bool:
        """Return whether fresh outputs (`test`) match stored ones (`ref`), and store the differences."""
        self.comparison_traceback = compare.differences(ref, test, compare.tolerance(self.cell.metadata))
        return not self.comparison_traceback

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:
        """Return the message of a failure: the place, the error and the code of the cell."""
        error = excinfo.value
        where = f"{self.parent.relative()}, code cell {self.cell_num + 1}"
        if not isinstance(error, NbCellError):
            return f"{where}: {error}"
        traceback = error.inner_traceback or ""
        if getattr(self, "comparison_traceback", None):
            said = [traceback, REMEDY]
        else:
            said = [*COLOUR.sub("", traceback).strip().splitlines()[-1:], traceback]  # first the name of the error
        parts = [f"{where}: {error}", *said, "code of the cell:", error.source]
        return "\n".join(parts)


class Notebook(IPyNbFile):
    """A notebook whose code cells are tests of the class `Cell`."""

    kernel: Kernel
    valid = False  # whether its cells can be validated
    executed: Sequence[nbformat.NotebookNode] = ()
    """With `--executed`, the code cells of the chapter in the cache; empty if its frameworks are not installed."""

    def relative(self) -> Path:
        """Return the path of the notebook relative to the root of pytest."""
        return self.path.relative_to(self.config.rootpath)

    def chapter(self) -> str:
        """Return the name of the chapter of this notebook, such as "book/training/batch_norm", in any language."""
        folders = self.path.with_suffix("").parts
        language = len(folders) - folders[::-1].index("notebooks")
        return Path("book", *folders[language + 1 :]).as_posix()

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a `Cell` for each code cell, or one `Broken` if the notebook cannot be validated."""
        try:
            cells = list(super().collect())
            if self.config.getoption(EXECUTED):
                self.executed = self.cells_as_executed()
        except (ValueError, nbformat.ValidationError, BookError) as error:
            reason = str(error) if isinstance(error, BookError) else f"{str(error)[:200]}: run ./ci/book.sh refresh"
            yield Broken.from_parent(self, name="not validated", reason=f"{self.relative()}: {reason}")
            return
        self.valid = True
        for cell in cells:
            name = f"code cell {cell.cell_num + 1}"  # nbval counts from 0 here, and from 1 in its messages
            yield Cell.from_parent(self, name=name, cell_num=cell.cell_num, cell=cell.cell, options=cell.options)

    def cells_as_executed(self) -> Sequence[nbformat.NotebookNode]:
        """Return the code cells of the chapter from the cache; none if its frameworks are not installed.

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
        """Start a kernel, except with `--executed`; skip the notebook if its frameworks are not installed."""
        if not self.valid or self.executed:
            return
        book, chapter, own_kernel = here(), self.chapter(), self.config.getoption("nbval_kernel_name") is None
        if self.config.getoption(EXECUTED):
            missing = frameworks.lacking(book, chapter)
        else:
            self.start_kernel(frameworks.variables(book, chapter) if own_kernel else {})
            missing = self.kernel.lacking(frameworks.needed(book, chapter))
        if missing:
            remedy = f": run {frameworks.REMEDY}" if own_kernel else ""
            pytest.skip(f"not executed, since {', '.join(missing)} cannot be imported{remedy}")

    def start_kernel(self, variables: dict[str, str]) -> None:
        """Start the kernel of nbval, with `variables` added to its environment."""
        with pytest.MonkeyPatch.context() as patch:
            for name, value in variables.items():
                patch.setenv(name, value)
            try:
                super().setup()
            except NoSuchKernel as error:
                pytest.fail(f"{self.relative()}: no kernel named {error.name!r} on this machine", pytrace=False)
        self.kernel = Kernel(self.kernel)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options `--executed` and `--environment`."""
    parser.addoption(
        EXECUTED, action="store_true", help="compare with the execution that the book is built from; execute nothing"
    )
    parser.addoption(
        ENVIRONMENT, default=environments.LOCK, help="an environment of book/environments.toml: %(default)s"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Replace nbval's default timeout of a cell by that of `_config.yml`; one that the user has chosen stays."""
    if config.getoption("nbval_cell_timeout") == 2000:
        config.option.nbval_cell_timeout = here().cell_timeout


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Collected:
    """Replace each notebook that nbval collects by a `Notebook`."""
    collected = yield
    return [Notebook.from_parent(parent, path=file_path) if type(found) is IPyNbFile else found for found in collected]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Change the report of an announced failure to an expected one (xfail)."""
    report = yield
    if report.failed and environments.is_announced(report.longreprtext, item.config.getoption(ENVIRONMENT)):
        report.outcome = "skipped"
        report.wasxfail = ANNOUNCED
    return report
