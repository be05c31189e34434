"""Run commands so that all their processes end when this process is stopped."""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

PATIENCE = 10  # seconds from SIGINT to SIGKILL


def run(command: Sequence[str | Path], **options: Any) -> int:
    """Run a command, with options of `Popen`; return its exit status. An exception stops the whole process group."""
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        try:
            return process.wait()
        except BaseException:
            stop(process)
            raise


def stop(process: subprocess.Popen) -> None:
    """Interrupt the process group of a process, then kill the processes that remain, even on a second Ctrl-C."""
    try:
        send_to_group(process, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
    finally:
        send_to_group(process, signal.SIGKILL)
        process.wait()


def send_to_group(process: subprocess.Popen, number: signal.Signals) -> None:
    """Send a signal to the process group of a process, if the group still exists."""
    with suppress(ProcessLookupError, PermissionError):  # macOS raises the latter for a group of zombies
        os.killpg(process.pid, number)
