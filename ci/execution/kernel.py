"""Execute one notebook in a kernel of its own."""

import os
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import zmq
from jupyter_client.kernelspec import NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from traitlets.config import Config

from ci import _
from ci.book import BookError, Sentence
from ci.execution.cache import code_cells

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# Seconds that a kernel has to end its children, such as a Ray cluster, before it is killed. It is asked after half of
# them, and ipykernel alone may wait 14 seconds for a child that ignores SIGTERM.
TIME_TO_END = 60.0


class CellError(BookError):
    """A cell has raised an error.

    Attributes:
      cell: the number of the cell, from 1.
      kind: the name of the error, such as "ValueError".
      value: the message of the error.
    """

    def __init__(self, name: str, cell: int, error: CellExecutionError) -> None:
        super().__init__(COLOUR.sub("", f"{name}, code cell {cell}: {error.ename}: {error.evalue}\n\n{error}"))
        self.cell, self.kind, self.value = cell, error.ename, error.evalue


class DeadKernel(BookError):
    """The kernel has died while it executed a cell."""


class Position:
    """Where an execution is, told by the hooks of nbclient.

    Attributes:
      cell: the number of the last code cell that has started, from 1.
      start: when the execution began.
      end: when the last finished cell ended.
    """

    def __init__(self, notebook: NotebookNode, on_cell: Callable[[], object]) -> None:
        self.notebook, self.on_cell = notebook, on_cell
        self.cell, self.start = 0, time.monotonic()
        self.end = self.start

    def started(self, cell: NotebookNode, cell_index: int) -> None:
        """Count the code cells up to the one that starts."""
        self.cell = sum(cell.cell_type == "code" for cell in self.notebook.cells[: cell_index + 1])

    def finished(self, **_: object) -> None:
        """Note the time, and report the cell."""
        self.end = time.monotonic()
        self.on_cell()


def connection(folder: str) -> dict[str, object]:
    """Return options of `KernelManager` for a kernel with its sockets in a folder of its own.

    Ports are avoided where the system allows it: another process can take a port between the choice of the port and
    the start of the kernel, which then never answers (github.com/jupyter/jupyter_client/issues/487).
    """
    sockets = {"transport": "ipc", "ip": str(Path(folder, "kernel"))} if zmq.has("ipc") else {}
    return sockets | {"shutdown_wait_time": TIME_TO_END}


async def run(
    notebook: NotebookNode, name: str, timeout: int, on_cell: Callable[[], object], **variables: str
) -> float:
    """Execute a notebook in a kernel of its own, in an empty folder.

    Args:
      notebook: changed in place.
      name: the chapter, for error messages.
      timeout: of each cell, in seconds.
      on_cell: called after each executed cell.
      variables: of the environment, added to those of this process.

    Returns:
      Seconds from the start of the kernel to the end of the last cell. The time that the kernel then needs to end its
      children does not count: ipykernel waits 14 seconds for one that ignores SIGTERM, such as the resource tracker of
      multiprocessing.

    Raises:
      CellError: a cell has raised an error.
      DeadKernel: the kernel has died.
      BookError: a cell took too long, or this machine has no such kernel.
    """
    position = Position(notebook, on_cell)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as sockets:
        client = NotebookClient(
            notebook,
            timeout=timeout,
            kernel_name=notebook.metadata.kernelspec.name,
            config=Config(KernelManager=connection(sockets)),
            coalesce_streams=True,  # or the speed of the machine decides into how many pieces a text is cut
            record_timing=False,  # it would change the metadata by which the cache knows the notebook
            resources={"metadata": {"path": folder}},
            extra_arguments=["--log-level=CRITICAL"],  # a kernel has nothing to say but in its cells
            on_cell_start=position.started,
            on_cell_executed=position.finished,
        )
        try:
            await client.async_execute(env=os.environ | variables)
        except NoSuchKernel as error:
            raise BookError(
                f"{name}.md: no kernel named {error.name!r} on this machine: write `name: python3` under `kernelspec:`"
            ) from error
        except CellExecutionError as error:
            raise CellError(name, position.cell, error) from error
        except CellTimeoutError as error:
            source = code_cells(notebook)[position.cell - 1].source
            sentence = _("{name}, code cell {cell}: not finished after {timeout} seconds")
            said = Sentence(sentence, name=name, cell=position.cell, timeout=timeout)
            raise BookError("{said}\n\n{source}", said=said, source=source) from error
        except DeadKernelError as error:
            sentence = _("{name}, code cell {cell}: the kernel died (out of memory?)")
            raise DeadKernel(sentence, name=name, cell=position.cell) from error
    return position.end - position.start
