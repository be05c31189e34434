"""What each process that `flaxbook.processes` starts runs: python -P started.py FILE run PROGRAM [WORDS]

Or, for a pickled call: python -P started.py FILE call PICKLED. It leaves FILE.error, FILE.stack and FILE.value.
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

OURS = (__file__, run_path.__code__.co_filename)


def end_with(launcher):
    """Ends this process and all it has started when the launcher, which holds the other end of this pipe, has died."""
    while os.read(launcher, 1):
        pass
    os.killpg(0, signal.SIGKILL)


def call(file, pickled):
    """Calls the function, with JAX connected before anything of it is loaded, and stores what it returns."""
    import cloudpickle
    import jax
    import numpy as np

    jax.distributed.initialize()
    function, arguments = cloudpickle.loads(Path(pickled).read_bytes())
    value = function(*arguments)
    copyreg.pickle(type(jax.numpy.zeros(0)), lambda array: (np.asarray, (np.asarray(array),)))
    part = file.with_suffix(".part")
    part.write_bytes(cloudpickle.dumps(value))
    part.rename(file.with_suffix(".value"))


def run(program):
    sys.path.insert(0, str(Path(program).parent))
    run_path(program, run_name="__main__")


def execute(file, kind, path):
    """Makes a call or runs a program, and prints what it raises; returns the exit code."""
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


def of_the_program(frames):
    """A traceback without the frames of this file and of `runpy`."""
    while frames.tb_next and frames.tb_frame.f_code.co_filename in OURS:
        frames = frames.tb_next
    return frames


def store(file, error):
    """Stores the first line of an error."""
    said = [type(error).__name__, *str(error).strip().splitlines()[:1]]
    file.with_suffix(".error").write_text(": ".join(said), encoding="utf-8", errors="backslashreplace")


def main(name, kind, *command):
    file, sys.argv = Path(name), list(command)
    faulthandler.register(signal.SIGUSR2, file.with_suffix(".stack").open("w"), chain=True)  # writes, then dies of it
    launcher = os.dup(0)  # which what this process starts does not inherit
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # input() has nothing to wait for
    threading.Thread(target=end_with, args=[launcher], daemon=True).start()
    code = 1
    try:
        code = execute(file, kind, command[0])
    finally:
        if code:
            with suppress(OSError, ValueError):  # it may be closed
                sys.stdout.flush()
            os._exit(code)  # or else JAX would wait here for the other processes, for five minutes


if __name__ == "__main__":
    main(*sys.argv[1:])
