"""Execute chapters as tasks of a Ray cluster, to which this machine belongs.

The cache and the progress stay on this machine: a task receives a notebook and yields what it has done. Ray brings the
code to the workers and, if any has other packages, installs the locked ones for this job. Workers keep no compiled
programs, since nobody would check there that these are as they were left.
"""

import asyncio
import os
import signal
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from queue import SimpleQueue
from typing import Any

import ray
from nbformat import NotebookNode
from ray.exceptions import RayError, RayTaskError, RuntimeEnvSetupError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from ci import _
from ci.book import Book, BookError, Sentence, display, install
from ci.execution import frameworks, kernel
from ci.execution.environment import differing, environment, prepare_data
from ci.execution.kernel import run_here


def executed(notebook: NotebookNode, name: str, timeout: int, lock: str, shown: list[str]) -> Iterator[Any]:
    """A task: execute a notebook; yield None after each cell, then notebook and data for the cache, or an error."""
    if packages := differing(lock):  # the worker may have joined late
        raise ImportError(f"a worker does not have {', '.join(packages)}")
    for variable in [one for one in os.environ if one.startswith(("RAY_", "OMP_NUM_THREADS"))]:
        del os.environ[variable]  # set by Ray; a kernel that an author starts does not have it
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # else no cell could be interrupted
    said: SimpleQueue[Any] = SimpleQueue()
    # A loop of asyncio, since nbclient fails with Ray's.
    with closing(asyncio.SelectorEventLoop()) as loop, ThreadPoolExecutor() as pool:
        execution = kernel.run(notebook, name, timeout, lambda: said.put(None))
        pool.submit(loop.run_until_complete, execution).add_done_callback(said.put)
        while not (done := said.get()):
            yield done
    yield done.exception() or (notebook, {"execution_seconds": done.result(), "environment": environment(shown)})


class Cluster:
    """The cluster at an address, to execute chapters of a book within the context of `joined`."""

    def __init__(self, book: Book, address: str) -> None:
        self.book, self.address, self.packages = book, address, dict[str, Any]()
        self.lock = (book.root / install.LOCK).read_text(encoding="utf-8")

    @contextmanager
    def joined(self) -> Iterator[int]:
        """Join the cluster and prepare its workers; yield the number of their processors, or raise BookError."""
        host, _colon, port = self.address.rpartition(":")
        chosen = {name: os.environ[name] for name in self.book.variables if name in os.environ}
        modules = [str(self.book.root / name) for name in ("ci", self.book.helper) if name]
        brought = {"py_modules": modules, "env_vars": chosen}
        try:
            try:
                socket.create_connection((host, int(port)), timeout=10).close()  # Ray alone would try for two minutes
                ray.init(self.address, runtime_env=brought, log_to_driver=False, configure_logging=False)
                signal.signal(signal.SIGTERM, signal.default_int_handler)  # as in ci.__main__; Ray has replaced it
                self.packages = {"uv": self.lock.splitlines()} if any(self.on_each(differing, self.lock)) else {}
                self.on_each(prepare_data, self.book.helper)
            except (OSError, ValueError, RuntimeError, RayError) as error:
                raise self.refusal(error.__cause__ or error) from error
            yield int(sum(node["Resources"]["CPU"] for node in self.workers()))
        finally:
            ray.shutdown()

    def refusal(self, reason: Sentence | BaseException) -> BookError:
        """Return an error of one line: why the cluster cannot be used, and what to do without it."""
        sentence = _("FLAXBOOK_CLUSTER={address} (HOST:PORT of Ray): {reason}; to execute on this machine, unset it")
        said = reason if isinstance(reason, Sentence) else " ".join(str(reason).split())[-300:]  # Ray says much
        return BookError(sentence, address=self.address, reason=said)

    def workers(self) -> list[dict[str, Any]]:
        """Return the nodes that are alive and have processors; raise BookError if there are none."""
        if nodes := [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]:
            return nodes
        raise self.refusal(Sentence(_("no workers are left")))

    def on_each(self, function: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Call a function on each worker, also on busy ones; return the results."""
        places = [NodeAffinitySchedulingStrategy(node["NodeID"], soft=False) for node in self.workers()]
        task = ray.remote(num_cpus=0, runtime_env=self.packages)(function)
        return ray.get([task.options(scheduling_strategy=place).remote(*arguments) for place in places])

    async def run(self, book: Book, notebook: NotebookNode, name: str, on_cell: Callable[[], object]) -> Any:
        """Execute a chapter as `run_here` does: on a worker, on another if that is lost, or here for frameworks."""
        if frameworks.needed(book, name):
            return await run_here(book, notebook, name, on_cell)
        task, shown = ray.remote(max_retries=0, runtime_env=self.packages)(executed), 0
        for _attempt in range(4):
            steps: Any = task.remote(notebook, name, book.cell_timeout, self.lock, list(book.packages))
            try:
                for number in range(1, len(notebook.cells) + 2):
                    while not ray.wait([steps], timeout=0)[0]:
                        self.workers()
                        await asyncio.sleep(1)
                    if step := await next(steps):
                        break
                    if number > shown:  # else it was executed before the worker was lost
                        shown = number
                        on_cell()
            except (RayTaskError, RuntimeEnvSetupError) as error:
                raise self.refusal(error) from error
            except RayError:
                display.tell(_("{name}: its worker is lost; executed again on another"), name=name)
                continue
            if isinstance(step, Exception):
                raise step
            notebook.update(step[0])
            return step[1]
        raise self.refusal(Sentence(_("{name} has lost its worker four times"), name=name))
