"""Programs of several processes, started on this machine and always ended."""

import inspect
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import cloudpickle
import psutil

from flaxbook import outcomes
from flaxbook.devices import THREADS

LOOK_AFTER = 0.02  # seconds between two looks at the processes
STACK_WITHIN = 2.0  # seconds for the processes to write where they are
WORK = 0.2  # seconds of processor time; who only waits needs less
# Variables that would lead a process to another program: of a job around this one, of MPI, which JAX asks before
# SLURM, and of a proxy, where JAX would look for the other processes.
FOREIGN = re.compile(r"(SLURM|OMPI|PMIX?|JAX_COORDINATOR)_.*|.*_proxy", re.IGNORECASE)


class ProcessError(RuntimeError):
    """A process failed, or was still running at the deadline.

    Attributes:
      processes: all of the program, a list of `flaxbook.outcomes.Process` by rank.
    """

    def __init__(self, message, processes):
        super().__init__(message, processes)
        self.processes = processes

    def __str__(self):
        return self.args[0]


def launch(program, count, *arguments, devices=1, deadline=60.0, idle=None, grace=2.0, check=True):
    """Runs a program, or a function, in several processes of JAX that exchange data through gloo.

    Each process has CPU devices of its own and finds the others by the variables that SLURM sets: the program calls
    `jax.distributed.initialize()` without arguments, as under SLURM. A function is called after that has been done.
    No process is left when this returns or raises, also after Ctrl-C. If this process is killed, they end by
    themselves, but for one that SIGSTOP has stopped, which ends when it continues. A process that raises ends at once,
    without what it has registered with `atexit`; variables that name a proxy are not passed on.

    Args:
      program: the path of a Python file, or a function without arrays of JAX in it.
      count: number of processes, an int.
      arguments: of the program, turned into strings; of the function, whatever can be pickled.
      devices: of each process, an int.
      deadline: seconds, after which the processes that still run are asked for their stacks and killed.
      idle: seconds, after which they are cut off likewise if all of them only wait. In contrast to the deadline, it
        does not depend on how slow the machine is. By default they may wait until the deadline.
      grace: seconds that the others get after one has failed. JAX itself notices that after 100 s.
      check: whether a failure raises an error.

    Returns:
      A list of `flaxbook.outcomes.Process`, by rank.

    Raises:
      ProcessError: a process failed or met the deadline, and `check` is True.
      ValueError: there is not at least 1 process with 1 device, or a time is not above 0.
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
        command = written_call(folder, program, arguments) if callable(program) else script(program, arguments)
        lines_of = source(program) if callable(program) else command[1]
        started = []
        try:
            for rank, file in enumerate(files):
                variables = environment(rank, count, keeper.getsockname()[1], devices)
                started.append(start(command, file, variables))
            ended, cut_off = wait_for_all(started, deadline, idle, grace)
            ask_for_stacks([child for rank, child in enumerate(started) if rank not in ended])
        finally:
            end(started)
        found = [outcomes.outcome(rank, started[rank].returncode, file, lines_of) for rank, file in enumerate(files)]
    processes = [process if process.rank in ended else replace(process, ended=cut_off) for process in found]
    if check and any(process.failed for process in processes):
        raise ProcessError(outcomes.first_failure(processes, ended), processes)
    return processes


def show(processes):
    """Prints what the processes have printed, each line with the rank of its process."""
    for process in processes:
        for line in process.output.splitlines():
            print(f"[{process.rank}] {line}")


def script(program, arguments):
    """The words by which `started.py` runs a program."""
    if not Path(program).is_file():
        raise FileNotFoundError(f"no such program: {program}")
    return ["run", str(Path(program).resolve()), *map(str, arguments)]


def written_call(folder, function, arguments):
    """The words by which `started.py` makes a call, which is stored for it in a folder."""
    try:
        pickled = cloudpickle.dumps((function, arguments))
    except Exception as error:  # whatever the object says
        raise TypeError(f"{function!r} and its arguments cannot be sent to other processes: {error}") from error
    call = Path(folder, "call")
    call.write_bytes(pickled)
    return ["call", str(call)]


def source(function):
    """The file whose lines a function has, as far as it has some."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return code.co_filename if code else ""


def reserved_port():
    """A socket that keeps a port from all but those who share it, as the coordinator of JAX does.

    Raises:
      RuntimeError: there is none.
    """
    keeper = socket.socket()
    try:
        keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        keeper.bind(("127.0.0.1", 0))
    except OSError as error:
        keeper.close()
        raise RuntimeError(f"no free port on this machine ({error.strerror}): end other programs first") from error
    return keeper


def environment(rank, count, port, devices):
    """The variables of one process: those of SLURM for one machine, and those that choose the CPU and gloo."""
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


def start(command, file, variables):
    """Starts one process; it prints into FILE.output, and ends when its standard input is closed."""
    with file.with_suffix(".output").open("wb") as output:
        return subprocess.Popen(
            [sys.executable, "-P", outcomes.STARTED, file, *command],
            env=variables,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is for this process, which ends them all
        )


def wait_for_all(started, deadline, idle, grace):
    """Waits until all processes have ended, but no longer than allowed. They stay zombies, so that their groups exist.

    Returns:
      The ranks of those that have ended, {rank: when that was noticed, in seconds}; and what became of the others, in
      words.
    """
    ended, until, cut_off = {}, time.monotonic() + deadline, f"still running after {deadline:g} s"
    worked, last = 0.0, time.monotonic()
    while len(ended) < len(started) and (now := time.monotonic()) < until:
        for rank, child in enumerate(started):
            if rank not in ended and (left := os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)):
                ended[rank] = now
                if left.si_status and now + grace < until:
                    until, cut_off = now + grace, f"still running {grace:g} s after another had failed"
        if idle and (found := processor_time(started)) > worked + WORK:
            worked, last = found, now
        if idle and now > last + idle:
            return ended, f"still running, idle for {idle:g} s"
        time.sleep(LOOK_AFTER)
    return ended, cut_off


def processor_time(started):
    """Seconds of processor time that these processes have used, all together."""
    total = 0.0
    for child in started:
        with suppress(psutil.Error):  # it has ended just now, and the next look finds what the others do
            total += sum(psutil.Process(child.pid).cpu_times()[:2])
    return total


def ask_for_stacks(children):
    """Makes processes write where they are into FILE.stack, and die of it."""
    for child in children:
        child.send_signal(outcomes.STACK)
    until = time.monotonic() + STACK_WITHIN
    for child in children:
        with suppress(subprocess.TimeoutExpired):  # it has no stack then, and is killed all the same
            child.wait(max(0, until - time.monotonic()))


def end(started):
    """Kills the processes with all they have started, and waits for them; also if Ctrl-C comes again meanwhile."""
    try:
        kill(started)
    finally:
        kill(started)
        for child in started:
            child.wait()
            child.stdin.close()


def kill(started):
    for child in started:
        with suppress(ProcessLookupError):  # all of its group have ended
            os.killpg(child.pid, signal.SIGKILL)
