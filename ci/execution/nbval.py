"""A pytest hook: nbval with the comparison of `ci.outputs.compare`, and clear words for what goes wrong."""

import ast
import os
import tempfile
import time
from functools import partial
from queue import Empty
from unittest.mock import patch

import nbformat
import pytest
from jupyter_client.kernelspec import NoSuchKernel
from jupyter_client.manager import KernelManager
from nbval.plugin import IPyNbCell, IPyNbFile, NbCellError, find_comment_markers, find_metadata_tags

from ci.book import here
from ci.execution import frameworks
from ci.execution.died import KERNEL_DIED, ONCE, Died
from ci.execution.sockets import connection
from ci.outputs import compare

STORE = "--store"
START = 60  # seconds for a kernel to answer, as nbval has them
LOOK_AFTER = 2  # seconds between two looks whether the kernel is alive
REMEDY = """\
to put it right:
  the code was changed on purpose:      ./ci/book.sh refresh
  a number moves from run to run:       print a verdict with a margin, such as print(loss < 0.1), or allow the number
                                        to move by a line in the cell: # Numbers may differ by 1 %.
  words, order or counts move likewise: fix the seed, sort, or do not print them"""
NOT_COMPARED = {("check", False), ("skip", True)}  # in the words of nbval


def exempt(cell):
    """Whether a tag or a comment keeps nbval from comparing the output of a cell."""
    return bool(NOT_COMPARED.intersection([*find_comment_markers(cell.source), *find_metadata_tags(cell.metadata)]))


class Broken(pytest.Item):
    """Stands for a notebook that cannot be read, so that the others are still checked."""

    def __init__(self, *, reason, **kwargs):
        super().__init__(**kwargs)
        self.reason = reason

    def runtest(self):
        pytest.fail(self.reason, pytrace=False)


class Cell(IPyNbCell):
    """A code cell, compared as `ci.outputs.compare` does."""

    def runtest(self):
        if self.cell.source and self.cell.execution_count is None:
            self.raise_cell_error("never executed, so there is nothing to compare with: run ./ci/book.sh refresh")
        super().runtest()
        self.parent.proved[self.cell_num] = self.test_outputs

    def compare_outputs(self, test, ref, skip_compare=None):
        self.comparison_traceback = compare.differences(ref, test, compare.tolerance(self.cell.source))
        return not self.comparison_traceback

    def repr_failure(self, excinfo):
        error = excinfo.value
        if not isinstance(error, NbCellError):
            return f"{self.where()}: {error}"
        remedy = [REMEDY] if getattr(self, "comparison_traceback", None) else []
        parts = [f"{self.where()}: {error}", error.inner_traceback or "", *remedy, "code of the cell:", error.source]
        return "\n".join(parts)

    def where(self):
        return f"{self.parent.relative()}, code cell {self.cell_num + 1}"


class Notebook(IPyNbFile):
    """A notebook whose cells are compared as `ci.outputs.compare` does.

    Attributes:
      proved: {number of a code cell, from 0: its outputs, found equal}.
    """

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.proved = {}

    def collect(self):
        try:
            cells = list(super().collect())
        except (ValueError, nbformat.ValidationError) as error:
            reason = f"{self.relative()}: {str(error)[:200]}: run ./ci/book.sh refresh"
            yield Broken.from_parent(self, name="not a notebook", reason=reason)
            return
        for cell in cells:
            name = f"code cell {cell.cell_num + 1}"  # nbval counts from 0 here, and from 1 in what it says
            yield Cell.from_parent(self, name=name, cell_num=cell.cell_num, cell=cell.cell, options=cell.options)

    def setup(self):
        if not hasattr(self, "nb"):
            return
        missing, self.started, self.sockets = None, time.monotonic(), tempfile.TemporaryDirectory()
        chapter = frameworks.chapter_at(here(), self.path)
        manager = partial(KernelManager, **connection(self.sockets.name))
        try:
            with patch.dict(os.environ, self.variables(chapter)), patch("nbval.kernel.KernelManager", manager):
                super().setup()
        except NoSuchKernel as error:
            missing = error.name
        if missing:
            pytest.fail(f"{self.relative()}: no kernel named {missing!r} on this machine", pytrace=False)
        watch(self.kernel)
        if chapter and (missing := lacking(self.kernel, frameworks.needed(here(), chapter))):
            remedy = f" ({frameworks.REMEDY})" if self.own_kernel() else ""
            pytest.skip(f"{self.relative()}: this Python has no {', '.join(missing)}{remedy}")

    def own_kernel(self):
        """Whether the cells are executed in the environment of the book."""
        return self.config.getoption("nbval_kernel_name") is None

    def variables(self, chapter):
        """What the kernel's environment has besides.

        Args:
          chapter: the one that needs other frameworks and has this notebook, or None.
        """
        found = frameworks.variables(here(), chapter) if chapter and self.own_kernel() else {}
        if not self.config.getoption(STORE):
            return found
        from ci.execution import compiled

        return found | compiled.variables_for(here(), self.nb)

    def teardown(self):
        whole = hasattr(self, "nb") and len(self.proved) == sum(cell.cell_type == "code" for cell in self.nb.cells)
        if whole and self.config.getoption(STORE):
            seconds, outputs = time.monotonic() - self.started, [self.proved[cell] for cell in sorted(self.proved)]
            from ci.execution import proved  # which takes a second to import, and is not needed elsewhere

            language = self.kernel.kc.kernel_info(reply=True, timeout=LOOK_AFTER)["content"]["language_info"]
            proved.store(here(), self.path, outputs, language, seconds)
        if self.kernel and self.kernel.is_alive():
            self.kernel.km.shutdown_kernel()  # nbval would kill it, with what it has started and would end
        super().teardown()
        if hasattr(self, "sockets"):
            self.sockets.cleanup()

    def relative(self):
        return self.path.relative_to(self.config.rootpath)


def lacking(kernel, modules):
    """Those of some modules that a kernel does not find."""
    expression = f"[name for name in {modules} if not __import__('importlib.util').util.find_spec(name)]"
    options = {"silent": True, "user_expressions": {"lacking": expression}, "output_hook": lambda _message: None}
    reply = kernel.kc.execute_interactive("", timeout=START, allow_stdin=False, **options)
    return ast.literal_eval(reply["content"]["user_expressions"]["lacking"]["data"]["text/plain"])


def watch(kernel):
    """Makes a kernel notice within seconds that it died, rather than at the end of the cell's timeout."""
    wait = kernel.await_reply

    def await_reply(msg_id, timeout=None):
        deadline = time.monotonic() + timeout
        while True:
            try:
                return wait(msg_id, timeout=min(LOOK_AFTER, timeout))
            except Empty:
                if not kernel.is_alive():
                    raise RuntimeError(KERNEL_DIED) from None
                if time.monotonic() > deadline:
                    raise

    kernel.await_reply = await_reply


def pytest_addoption(parser):
    parser.addoption(STORE, action="store_true", help="the book is then built from what is validated")
    parser.addoption(ONCE, action="store_true", help="a notebook whose kernel dies is not validated once more")


def pytest_configure(config):
    if not hasattr(config, "workerinput"):  # once, before the workers of pytest-xdist
        config.died = Died(config)
        config.pluginmanager.register(config.died)
        if config.getoption(STORE):
            from ci.execution import proved

            proved.prepare(here())
    if config.getoption("nbval_cell_timeout") == 2000:  # nbval's default: nobody has chosen another
        config.option.nbval_cell_timeout = here().cell_timeout


def pytest_unconfigure(config):
    if config.getoption(STORE) and not hasattr(config, "workerinput"):  # once all workers have ended
        from ci.execution import compiled

        if config.died.nothing_was_cut_short:  # or else a program may be half written
            compiled.end(here())


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path, parent):
    collected = yield
    return [Notebook.from_parent(parent, path=file_path) if type(found) is IPyNbFile else found for found in collected]
