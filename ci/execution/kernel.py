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

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# Seconds that a kernel has to end its children, such as a Ray cluster, before it is killed. It is asked after half of
# them, and ipykernel alone may wait 14 seconds for a child that ignores SIGTERM.
TIME_TO_END = 60.0
NOT_COUNTED = "not counted"  # in the metadata of a cell that the chapter does not have


class CellError(BookError):
    """A cell has raised an error: the number of the `cell` from 1, the `kind` (such as "ValueError"), its `value`."""

    def __init__(self, name: str, cell: int, error: CellExecutionError) -> None:
        super().__init__(COLOUR.sub("", f"{name}, code cell {cell}: {error.ename}: {error.evalue}\n\n{error}"))
        self.cell, self.kind, self.value = cell, error.ename, error.evalue


class DeadKernel(BookError):
    """The kernel has died while it executed a cell."""


def connection(folder: str) -> dict[str, object]:
    """Return options of `KernelManager` for a kernel with its sockets in a folder of its own."""
    # Another process can take a port between its choice and the start of the kernel, which then never answers:
    # github.com/jupyter/jupyter_client/issues/487
    sockets = {"transport": "ipc", "ip": str(Path(folder, "kernel"))} if zmq.has("ipc") else {}
    return sockets | {"shutdown_wait_time": TIME_TO_END}


async def run(
    notebook: NotebookNode, name: str, timeout: int, on_cell: Callable[[], object], **variables: str
) -> float:
    """Execute a notebook in place, in a kernel of its own and an empty folder.

    Args:
      name: The chapter, for error messages.
      timeout: The seconds that a cell may take.
      on_cell: Called after each executed cell.
      variables: Environment variables, added to those of this process.

    Returns:
      Seconds from the start of the kernel to the end of the last cell, without the time that the kernel then needs to
      end its children.

    Raises:
      CellError: A cell has raised an error.
      DeadKernel: The kernel has died.
      BookError: A cell took too long, or this machine has no such kernel.
    """
    start = end = time.monotonic()
    number, source = 0, ""

    def started(cell: NotebookNode, cell_index: int) -> None:
        nonlocal number, source
        source, begun = cell.source, notebook.cells[: cell_index + 1]
        number = sum(one.cell_type == "code" and NOT_COUNTED not in one.metadata for one in begun)

    def finished(**_: object) -> None:
        nonlocal end
        end = time.monotonic()
        on_cell()

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
            on_cell_start=started,
            on_cell_executed=finished,
        )
        try:
            await client.async_execute(env=os.environ | variables)
        except NoSuchKernel as error:
            raise BookError(
                f"{name}.md: no kernel named {error.name!r} on this machine: write `name: python3` under `kernelspec:`"
            ) from error
        except CellExecutionError as error:
            raise CellError(name, number, error) from error
        except CellTimeoutError as error:
            sentence = _("{name}, code cell {cell}: not finished after {timeout} seconds")
            said = Sentence(sentence, name=name, cell=number, timeout=timeout)
            raise BookError("{said}\n\n{source}", said=said, source=source) from error
        except DeadKernelError as error:
            sentence = _("{name}, code cell {cell}: the kernel died (out of memory?)")
            raise DeadKernel(sentence, name=name, cell=number) from error
    return end - start
