"""Run programs of several processes on this machine, and end all of them."""

import inspect
import io
import marshal
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import ChainMap
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import CodeType
from typing import Any

import cloudpickle
import psutil

from flaxbook import outcomes
from flaxbook.devices import THREADS

LOOK_AFTER = 0.02  # seconds between two checks of the processes
STACK_WITHIN = 10.0  # seconds in which the processes have to write their stacks
WORK = 0.2  # seconds of processor time; processes that only wait use less
# Variables that would connect a process to another program: those of an enclosing job, of MPI, which JAX reads before
# those of SLURM, and of a proxy, through which JAX would look for the other processes.
FOREIGN = re.compile(r"(SLURM|OMPI|PMIX?|JAX_COORDINATOR)_.*|.*_proxy", re.IGNORECASE)


class ProcessError(RuntimeError):
    """A process failed, or was still running at the deadline.

    Attributes:
      processes: all processes of the program, a list of `flaxbook.outcomes.Process` by rank.
    """

    def __init__(self, message: str, processes: list[outcomes.Process]) -> None:
        super().__init__(message, processes)
        self.processes = processes

    def __str__(self) -> str:
        return self.args[0]


def launch(
    program: str | Path | Callable[..., Any],
    count: int,
    *arguments: Any,
    devices: int = 1,
    deadline: float = 60.0,
    idle: float | None = None,
    grace: float = 2.0,
    check: bool = True,
) -> list[outcomes.Process]:
    """Run a program, or a function, in several processes of JAX that exchange data through gloo.

    Each process has CPU devices of its own and finds the others by the variables that SLURM sets: the program calls
    `jax.distributed.initialize()` without arguments, as under SLURM. Before a function is called, this has been done.
    No process is left when this function returns or raises, even after Ctrl-C. If the calling process is killed, the
    others end by themselves; one that SIGSTOP has stopped ends when it continues. A process that raises ends at once,
    without calling what it has registered with `atexit`. Variables that name a proxy are not passed on.

    Args:
      program: the path of a Python file, or a function that refers to no JAX arrays.
      count: number of processes.
      arguments: for a program, values that are converted to strings; for a function, objects that can be pickled.
      devices: number of devices of each process.
      deadline: time in seconds, after which the remaining processes write their stacks and are killed. What they
        print after that is left out.
      idle: time in seconds, after which the processes are stopped in the same way if all of them only wait. Unlike the
        deadline, it does not depend on the speed of the machine. By default they may wait until the deadline.
      grace: time in seconds that the other processes get after one has failed. JAX itself notices after 100 s.
      check: whether a failure raises an error.

    Returns:
      A list of `flaxbook.outcomes.Process`, by rank.

    Raises:
      ProcessError: a process failed or was stopped, and `check` is True.
      ValueError: `count`, `devices`, `deadline` or `idle` is too small.
      FileNotFoundError: there is no such program.
      TypeError: the function or an argument cannot be pickled.
      RuntimeError: there is no free port, or this system has no gloo.
    """
    if count < 1 or devices < 1:
        raise ValueError(f"a program has at least 1 process with 1 device, not {count} with {devices}")
    for name, seconds in {"deadline": deadline, "idle": idle}.items():
        if seconds is not None and not seconds > 0:
            raise ValueError(f"{name} is a number of seconds above 0, not {seconds}")
    if sys.platform != "linux":
        raise RuntimeError(f"JAX has no gloo on {sys.platform} (jax issue 28160): run this on Linux, or in Colab")
    with tempfile.TemporaryDirectory() as folder, reserved_port() as keeper:
        files = [Path(folder, str(rank)) for rank in range(count)]
        outputs = [file.with_suffix(".output") for file in files]
        command = written_call(folder, program, arguments) if callable(program) else script(program, arguments)
        lines_of = source(program) if callable(program) else command[1]
        started: list[subprocess.Popen] = []
        try:
            for rank, file in enumerate(files):
                variables = environment(rank, count, keeper.getsockname()[1], devices)
                started.append(start(command, file, variables))
            ended, cut_off = wait_for_all(started, deadline, idle, grace)
            stopped = {rank: outputs[rank].stat().st_size for rank in range(count) if rank not in ended}
            ask_for_stacks([started[rank] for rank in stopped])
        finally:
            end(started)
        for rank, size in stopped.items():  # JAX prints that another process has ended, if that one ends first
            os.truncate(outputs[rank], size)
        found = [outcomes.outcome(rank, started[rank].returncode, file, lines_of) for rank, file in enumerate(files)]
    processes = [process if process.rank in ended else replace(process, ended=cut_off) for process in found]
    if check and any(process.failed for process in processes):
        raise ProcessError(outcomes.first_failure(processes, ended), processes)
    return processes


def show(processes: Iterable[outcomes.Process]) -> None:
    """Print the output of all processes, each line after the rank of its process."""
    for process in processes:
        for line in process.output.splitlines():
            print(f"[{process.rank}] {line}")


def script(program: str | Path, arguments: Sequence[Any]) -> list[str]:
    """Return the command line for `started.py` that runs the file of a program with these arguments.

    Raises:
      FileNotFoundError: there is no such program.
    """
    if not Path(program).is_file():
        raise FileNotFoundError(f"no such program: {program}")
    return ["run", str(Path(program).resolve()), *map(str, arguments)]


def pickled_code(code: CodeType) -> tuple[Callable[[bytes], Any], tuple[bytes]]:
    """Return how the same Python makes a code object again, with the name of its file."""
    return marshal.loads, (marshal.dumps(code),)


class Pickler(cloudpickle.Pickler):
    """Keeps the file names of functions, by which their lines are found; cloudpickle 3.1.3 does not."""

    dispatch_table = ChainMap({CodeType: pickled_code}, cloudpickle.Pickler.dispatch_table)


def written_call(folder: str, function: Callable[..., Any], arguments: Sequence[Any]) -> list[str]:
    """Store a call in a folder; return the arguments with which `started.py` makes it.

    Raises:
      TypeError: the function or an argument cannot be pickled.
    """
    pickled = io.BytesIO()
    try:
        Pickler(pickled).dump((function, arguments))
    except Exception as error:  # pickling an object may raise an error of any kind
        raise TypeError(f"{function!r} and its arguments cannot be sent to other processes: {error}") from error
    call = Path(folder, "call")
    call.write_bytes(pickled.getvalue())
    return ["call", str(call)]


def source(function: Callable[..., Any]) -> str:
    """Return the path of the file that defines a function, or "" if there is none."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return code.co_filename if code else ""


def reserved_port() -> socket.socket:
    """Return a socket that reserves a port from all but programs that share ports, as the coordinator of JAX does.

    Raises:
      RuntimeError: no port is free.
    """
    keeper = socket.socket()
    try:
        keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        keeper.bind(("127.0.0.1", 0))
    except OSError as error:
        keeper.close()
        raise RuntimeError(f"no free port on this machine ({error.strerror}): end other programs first") from error
    return keeper


def environment(rank: int, count: int, port: int, devices: int) -> dict[str, str]:
    """Return the variables of one process: those of SLURM for one machine, and those that select the CPU and gloo."""
    slurm = {"JOB_ID": 0, "STEP_NODELIST": "localhost", "NTASKS": count, "PROCID": rank, "LOCALID": rank}
    return {name: value for name, value in os.environ.items() if not FOREIGN.fullmatch(name)} | {
        **{f"SLURM_{name}": str(value) for name, value in slurm.items()},
        "JAX_COORDINATOR_ADDRESS": f"127.0.0.1:{port}",
        "JAX_PLATFORMS": "cpu",
        "JAX_NUM_CPU_DEVICES": str(devices),
        "JAX_CPU_COLLECTIVES_IMPLEMENTATION": "gloo",
        "NPROC": str(devices * THREADS),  # as in `flaxbook.devices.simulate`
        "PYTHONPATH": os.pathsep.join(str(path) or os.getcwd() for path in sys.path),
        "PYTHONUNBUFFERED": "1",
        "PYTHONUTF8": "1",
    }


def start(command: Sequence[str], file: Path, variables: dict[str, str]) -> subprocess.Popen:
    """Start a process that prints into FILE.output, and ends when its standard input is closed."""
    with file.with_suffix(".output").open("wb") as output:
        return subprocess.Popen(
            [sys.executable, "-P", outcomes.STARTED, file, *command],
            env=variables,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C reaches only the calling process, which ends the others
        )


def wait_for_all(
    started: Sequence[subprocess.Popen], deadline: float, idle: float | None, grace: float
) -> tuple[dict[int, float], str]:
    """Wait until all processes have ended or must be stopped. They stay zombies, so that their groups exist.

    Args:
      started, deadline, idle, grace: as for `launch`.

    Returns:
      The time in seconds at which the end of each rank was noticed, for those that have ended; and a description of
      the state of the others.
    """
    ended: dict[int, float] = {}
    until, cut_off = time.monotonic() + deadline, f"still running after {deadline:g} s"
    worked, last = 0.0, time.monotonic()
    while len(ended) < len(started) and (now := time.monotonic()) < until:
        for rank, child in enumerate(started):
            if rank not in ended and (left := os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)):
                ended[rank] = now
                if left.si_status and now + grace < until:
                    until, cut_off = now + grace, f"still running {grace:g} s after another had failed"
        if idle and (used := processor_time(started)) > worked + WORK:
            worked, last = used, now
        if idle and now > last + idle:
            return ended, f"still running, idle for {idle:g} s"
        time.sleep(LOOK_AFTER)
    return ended, cut_off


def processor_time(started: Iterable[subprocess.Popen]) -> float:
    """Return the processor time that these processes have used together, in seconds."""
    total = 0.0
    for child in started:
        with suppress(psutil.Error):  # the process has just ended; the next check measures the others
            total += sum(psutil.Process(child.pid).cpu_times()[:2])
    return total


def ask_for_stacks(children: Sequence[subprocess.Popen]) -> None:
    """Make processes write their stacks into FILE.stack, and end."""
    for child in children:
        child.send_signal(outcomes.STACK)
    until = time.monotonic() + STACK_WITHIN
    for child in children:
        with suppress(subprocess.TimeoutExpired):  # it is killed without a stack
            child.wait(max(0, until - time.monotonic()))


def end(started: Sequence[subprocess.Popen]) -> None:
    """Kill the processes and all that they have started, and wait for them, even if Ctrl-C is pressed meanwhile."""
    try:
        kill(started)
    finally:
        kill(started)
        for child in started:
            child.wait()
            if child.stdin:
                child.stdin.close()


def kill(started: Iterable[subprocess.Popen]) -> None:
    """Kill the process groups of these processes."""
    for child in started:
        with suppress(ProcessLookupError):  # all of its group have ended
            os.killpg(child.pid, signal.SIGKILL)
