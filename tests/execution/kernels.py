"""Stand in for kernels in tests of what is done with the outputs of chapters."""

import asyncio
import io
from collections import defaultdict
from contextlib import redirect_stdout

from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_output

from ci.execution.cache import code_cells
from ci.execution.kernel import CellError


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
            cell.outputs, cell.execution_count = self.outputs(cell.source, count), count
        notebook.metadata["language_info"] = {"name": "python"}
        return 1.5

    def outputs(self, source, count):
        """Return what a cell prints, the figure that it draws, or else the number 2 as its result."""
        if "print(" in source:
            return [new_output("stream", text=self.printed)]
        data = {"image/png": "", "text/plain": "<Figure>"} if "figure" in source else {"text/plain": "2"}
        return [new_output("execute_result", data, execution_count=count)]


async def in_this_process(notebook, name="", timeout=1, on_cell=None, **variables):
    """Execute cells in this process, in place of a kernel."""
    names = {}
    for number, cell in enumerate(code_cells(notebook), start=1):
        said = io.StringIO()
        try:
            with redirect_stdout(said):
                exec(cell.source, names)
        except Exception as error:
            raise CellError(name, number, CellExecutionError("", type(error).__name__, str(error))) from error
        cell.outputs = [new_output("stream", name="stdout", text=said.getvalue())] if said.getvalue() else []
        cell.execution_count = number
    return 1.0
