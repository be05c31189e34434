"""Running commands so that no process is left behind when this one is stopped."""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

PATIENCE = 10  # seconds from SIGINT to SIGKILL


def run(command: Sequence[str | Path], **options: Any) -> int:
    """Run a command in a process group of its own; return its exit status.

    On Ctrl-C the whole group is stopped before `KeyboardInterrupt` is raised again.

    Args:
      options: Those of `subprocess.Popen`.
    """
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        try:
            return process.wait()
        except BaseException:
            stop(process)
            raise


def stop(process: subprocess.Popen) -> None:
    """Interrupt the group of a process, then kill what is left of it, even if Ctrl-C comes again meanwhile."""
    try:
        send_to_group(process, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
    finally:
        send_to_group(process, signal.SIGKILL)
        process.wait()


def send_to_group(process: subprocess.Popen, number: signal.Signals) -> None:
    """Send a signal to the group of a process, if there still is one."""
    with suppress(ProcessLookupError, PermissionError):  # macOS raises the latter for a group of zombies
        os.killpg(process.pid, number)
