"""Run a program or a call in a process that `flaxbook.processes` starts.

Usage: python -P started.py FILE run PROGRAM [ARGUMENT...], or python -P started.py FILE call PICKLED. The process
leaves FILE.error, FILE.stack and FILE.value.
"""

import copyreg
import faulthandler
import os
import signal
import sys
import threading
import traceback
from contextlib import suppress
from pathlib import Path
from runpy import run_path
from types import TracebackType
from typing import Any

OURS = (__file__, run_path.__code__.co_filename)


def end_with(launcher: int) -> None:
    """End this process and all it has started when the launcher, which holds the other end of this pipe, has died."""
    while os.read(launcher, 1):
        pass
    os.killpg(0, signal.SIGKILL)


def call(file: Path, pickled: str) -> None:
    """Connect JAX, then unpickle and call the function, and store the value that it returns."""
    import cloudpickle
    import jax
    import numpy as np

    jax.distributed.initialize()
    function, arguments = cloudpickle.loads(Path(pickled).read_bytes())
    value = function(*arguments)

    def as_numpy(array: jax.Array) -> tuple[Any, tuple[np.ndarray]]:
        return np.asarray, (np.asarray(array),)

    copyreg.pickle(type(jax.numpy.zeros(0)), as_numpy)
    part = file.with_suffix(".part")
    part.write_bytes(cloudpickle.dumps(value))
    part.rename(file.with_suffix(".value"))


def run(program: str) -> None:
    """Run a program, which finds the modules beside it."""
    sys.path.insert(0, str(Path(program).parent))
    run_path(program, run_name="__main__")


def execute(file: Path, kind: str, path: str) -> int:
    """Make a call or run a program, and print the error that it raises; return the exit status."""
    try:
        call(file, path) if kind == "call" else run(path)
    except SystemExit as error:
        if error.code is None or isinstance(error.code, int):
            return error.code or 0
        print(error, file=sys.stderr)
        store(file, error)
    except BaseException as error:
        traceback.print_exception(error.with_traceback(of_the_program(error.__traceback__)))
        store(file, error)
    else:
        return 0
    return 1


def of_the_program(frames: TracebackType | None) -> TracebackType | None:
    """Return a traceback without the frames of this file and of `runpy`."""
    while frames and frames.tb_next and frames.tb_frame.f_code.co_filename in OURS:
        frames = frames.tb_next
    return frames


def store(file: Path, error: BaseException) -> None:
    """Store the type and the first line of an error in FILE.error."""
    said = [type(error).__name__, *str(error).strip().splitlines()[:1]]
    file.with_suffix(".error").write_text(": ".join(said), encoding="utf-8", errors="backslashreplace")


def main(name: str, kind: str, *command: str) -> None:
    """Run this process, and end it with the launcher."""
    file, sys.argv = Path(name), list(command)
    faulthandler.register(signal.SIGUSR2, file.with_suffix(".stack").open("w"), chain=True)  # writes, then dies of it
    launcher = os.dup(0)  # the processes that this one starts do not inherit it
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # so that input() does not wait
    threading.Thread(target=end_with, args=[launcher], daemon=True).start()
    code = 1
    try:
        code = execute(file, kind, command[0])
    finally:
        if code:
            with suppress(OSError, ValueError):  # stdout may be closed
                sys.stdout.flush()
            os._exit(code)  # because JAX would otherwise wait five minutes for the other processes


if __name__ == "__main__":
    main(*sys.argv[1:])
