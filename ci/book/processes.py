"""Runs commands so that none is left when this one is stopped."""

import os
import signal
import subprocess

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
    """Asks the group of a process to stop, and makes it."""
    for what in (signal.SIGINT, signal.SIGKILL):
        try:
            os.killpg(process.pid, what)
            process.wait(PATIENCE)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
