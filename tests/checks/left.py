"""What a command leaves behind: processes, their ports, files in its temporary folder, shared memory."""

import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil

MARK = "FLAXBOOK_WATCHED"
PATIENCE = 30  # seconds for what is just ending
SHARED = Path("/dev/shm")  # where Linux shows shared memory; other systems do not show it


class Watched:
    """A temporary folder and a mark in the environment, which tell what a command has left.

    Attributes:
      variables: for the environment of the command.
    """

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.variables = {"TMPDIR": self.folder.name, MARK: self.folder.name}
        self.shared = shared_memory()
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def left(self, patience=PATIENCE):
        """Return a line for each thing that is left.

        Shared memory does not name the command that made it, so what another one has made meanwhile counts, too.
        """
        until = time.monotonic() + patience
        while ((running := marked(self.folder.name)) or shared_memory() - self.shared) and time.monotonic() < until:
            time.sleep(0.1)
        return [
            *(f"process {process.pid} {command(process)}" for process in running),
            *(f"file {path.name}" for path in sorted(Path(self.folder.name).iterdir())),
            *(f"shared memory {name}" for name in sorted(shared_memory() - self.shared)),
        ]


def shared_memory():
    """Return the names of all segments."""
    return {path.name for path in SHARED.iterdir()} if SHARED.is_dir() else set()


def marked(mark):
    """Return the processes with a mark in their environment."""
    processes = psutil.process_iter(["environ"])
    return [process for process in processes if (process.info["environ"] or {}).get(MARK) == mark]


def command(process):
    """Return how a process was started, in one line."""
    with suppress(psutil.Error):  # it has just ended
        return " ".join(" ".join(process.cmdline()).split())
    return "?"
