"""Executes one notebook in a kernel of its own."""

import os
import re
import tempfile
import time

from jupyter_client.kernelspec import NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from traitlets.config import Config

from ci import _
from ci.book import BookError, Sentence
from ci.execution.cache import code_cells
from ci.execution.sockets import connection

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class CellError(BookError):
    """A cell has raised.

    Attributes:
      cell: its number, from 1.
      kind: the name of the error, such as "ValueError".
      value: what it says.
    """

    def __init__(self, name, cell, error):
        super().__init__(COLOUR.sub("", f"{name}, code cell {cell}: {error.ename}: {error.evalue}\n\n{error}"))
        self.cell, self.kind, self.value = cell, error.ename, error.evalue


class DeadKernel(BookError):
    """A cell has killed its kernel."""


async def run(notebook, name, timeout, on_cell, **variables):
    """Executes a notebook in a kernel of its own, in an empty folder.

    Args:
      notebook: changed in place.
      name: the chapter, for error messages.
      timeout: of each cell, in seconds.
      on_cell: called after each executed cell.
      variables: of the environment, added to those of this process.

    Returns:
      Seconds from the start of the kernel to the end of the last cell. The kernel may take longer to end what it has
      started: ipykernel waits 14 s for a child that ignores SIGTERM, as the resource tracker of multiprocessing does.

    Raises:
      CellError: a cell raised.
      DeadKernel: a cell killed the kernel.
      BookError: a cell took too long, or this machine has no such kernel.
    """
    current = 0

    def started(cell, cell_index):
        nonlocal current
        current = sum(c.cell_type == "code" for c in notebook.cells[: cell_index + 1])

    start = ended = time.monotonic()

    def executed(**_):
        nonlocal ended
        ended = time.monotonic()
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
            on_cell_executed=executed,
        )
        try:
            await client.async_execute(env=os.environ | variables)
        except NoSuchKernel as error:
            raise BookError(
                f"{name}.md: no kernel named {error.name!r} on this machine: write `name: python3` under `kernelspec:`"
            ) from error
        except CellExecutionError as error:
            raise CellError(name, current, error) from error
        except CellTimeoutError as error:
            source = code_cells(notebook)[current - 1].source
            sentence = _("{name}, code cell {cell}: not finished after {timeout} seconds")
            said = Sentence(sentence, name=name, cell=current, timeout=timeout)
            raise BookError("{said}\n\n{source}", said=said, source=source) from error
        except DeadKernelError as error:
            sentence = _("{name}, code cell {cell}: the kernel died (out of memory?)")
            raise DeadKernel(sentence, name=name, cell=current) from error
    return ended - start
