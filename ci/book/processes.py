"""Runs commands so that none is left when this one is stopped."""

import os
import signal
import subprocess
from contextlib import suppress

PATIENCE = 10  # seconds between asking to stop and stopping


def run(command, **options):
    """Runs a command in a process group of its own; returns its exit status.

    Ctrl-C reaches the whole group, and is passed on once the group is gone.

    Args:
      options: of `subprocess.Popen`.
    """
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        try:
            return process.wait()
        except BaseException:
            stop(process)
            raise


def stop(process):
    """Asks the group of a process to stop, and makes it, also if Ctrl-C comes again meanwhile."""
    try:
        tell(process, signal.SIGINT)
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        pass  # it is made to
    finally:
        tell(process, signal.SIGKILL)
        process.wait()


def tell(process, what):
    """Sends a signal to the group of a process, as far as there is still one."""
    with suppress(ProcessLookupError, PermissionError):  # the second where only zombies are left, on macOS
        os.killpg(process.pid, what)
