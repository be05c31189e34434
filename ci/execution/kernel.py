"""Execute one notebook in a new kernel on this machine."""

import logging
import os
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import zmq
from jupyter_client.kernelspec import NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from traitlets.config import Config

from ci import _
from ci.book import Book, BookError, Sentence
from ci.execution import compiled, frameworks
from ci.execution.environment import environment

# nbclient says that it begins; a package of colours for code lets the root logger print that.
logging.getLogger("traitlets").setLevel(logging.WARNING)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# Seconds that a kernel has to end its child processes, such as a Ray cluster, before it is killed. After half of them
# it receives SIGTERM; ipykernel alone may wait 14 seconds for a child that ignores SIGTERM.
TIME_TO_END = 60.0
NOT_COUNTED = "not counted"  # a key in the metadata of an added cell, which has no number in the chapter


class CellError(BookError):
    """A cell has raised an error.

    `cell` is the number of the code cell from 1, `kind` the name of the error, `value` its message.
    """

    def __init__(self, name: str, cell: int, error: CellExecutionError) -> None:
        super().__init__(COLOUR.sub("", f"{name}, code cell {cell}: {error.ename}: {error.evalue}\n\n{error}"))
        self.cell, self.kind, self.value = cell, error.ename, error.evalue


class DeadKernel(BookError):
    """The kernel has died while it executed a cell."""


async def run(
    notebook: NotebookNode, name: str, timeout: float, on_cell: Callable[[], object], **variables: str
) -> float:
    """Execute a notebook in place, in a new kernel and an empty working directory.

    Args:
      name: The chapter, for error messages.
      timeout: The time limit of a cell, in seconds.
      on_cell: Called after each executed cell.
      variables: Environment variables, added to those of this process.

    Returns:
      Seconds to the end of the last cell, without those that the kernel then takes to end its child processes.

    Raises:
      BookError: A cell raised an error (`CellError`) or took too long, the kernel died (`DeadKernel`), or this
        machine has no such kernel.
    """
    start = end = time.monotonic()
    number, source = 0, ""

    def started(cell: NotebookNode, cell_index: int) -> None:
        nonlocal number, source
        source, begun = cell.source, notebook.cells[: cell_index + 1]
        number = sum(one.cell_type == "code" and NOT_COUNTED not in one.metadata for one in begun)

    def finished(execute_reply: dict[str, Any], **_: object) -> None:
        nonlocal end
        end = time.monotonic()
        if any(payload["source"] == "ask_exit" for payload in execute_reply["content"].get("payload", [])):
            raise BookError(f"{name}, code cell {number}: it ends the kernel of its reader: take exit or quit out")
        on_cell()

    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory() as sockets,
        tempfile.TemporaryFile() as messages,  # of native libraries and child processes; they help if the kernel dies
    ):
        # Another process can take a port between its choice and the start of the kernel, which then never answers:
        # github.com/jupyter/jupyter_client/issues/487
        connection = {"transport": "ipc", "ip": str(Path(sockets, "kernel"))} if zmq.has("ipc") else {}
        client = NotebookClient(
            notebook,
            timeout=timeout,
            kernel_name=notebook.metadata.kernelspec.name,
            config=Config(KernelManager={"shutdown_wait_time": TIME_TO_END, **connection}),
            coalesce_streams=True,  # else the number of outputs depends on the machine's speed
            record_timing=False,  # it would change the metadata, and with them the key in the cache
            resources={"metadata": {"path": folder}},
            extra_arguments=["--log-level=CRITICAL"],  # no messages of the kernel itself
            on_cell_start=started,
            on_cell_executed=finished,
        )
        try:
            # ipykernel does not show what child processes print if it believes to be a part of pytest
            inherited = {key: value for key, value in os.environ.items() if key != "PYTEST_CURRENT_TEST"}
            await client.async_execute(env=inherited | variables, stderr=messages)
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
            sentence = _("{name}, code cell {cell}: the kernel died (out of memory, or ended by the cell?)")
            said = Sentence(sentence, name=name, cell=number)
            messages.seek(0)
            last = COLOUR.sub("", "\n".join(messages.read().decode(errors="replace").splitlines()[-20:]))
            raise DeadKernel("{said}\n\n{last}", said=said, last=last) from error
    return end - start


async def run_here(book: Book, notebook: NotebookNode, name: str, on_cell: Callable[[], object]) -> dict[str, Any]:
    """Execute a chapter in place, in a kernel on this machine; return data for the cache. For the rest see `run`."""
    variables = compiled.variables_for(notebook, compiled.folder(book)) | frameworks.variables(book, name)
    seconds = await run(notebook, name, book.cell_timeout, on_cell, **variables)
    return {"execution_seconds": seconds, "environment": environment(book.packages)}
