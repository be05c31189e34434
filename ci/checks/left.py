"""What a command leaves behind: processes, their ports, files in its temporary folder, shared memory."""

import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil

MARK = "FLAXBOOK_WATCHED"
PATIENCE = 5  # seconds for what is just ending
SHARED = Path("/dev/shm")  # where Linux shows shared memory; other systems do not show it


class Watched:
    """A temporary folder and a mark in the environment, by which what a command has left is found.

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

    def left(self):
        """What is there now: (processes, ports, files, shared memory), each a list of names.

        Shared memory names no command, so that what another one has made meanwhile counts, too.
        """
        until = time.monotonic() + PATIENCE
        while ((found := marked(self.folder.name)) or shared_memory() - self.shared) and time.monotonic() < until:
            time.sleep(0.1)
        processes = [f"{process.pid} {command(process)}" for process in found]
        ports = [str(port) for process in found for port in listening(process)]
        files = sorted(path.name for path in Path(self.folder.name).iterdir())
        return processes, ports, files, sorted(shared_memory() - self.shared)


def shared_memory():
    """The names of the segments that there are."""
    return {path.name for path in SHARED.iterdir()} if SHARED.is_dir() else set()


def marked(mark):
    """The processes with a mark in their environment."""
    found = psutil.process_iter(["environ"])
    return [process for process in found if (process.info["environ"] or {}).get(MARK) == mark]


def command(process):
    """How a process was started, in one line."""
    with suppress(psutil.Error):  # it has just ended
        return " ".join(" ".join(process.cmdline()).split())
    return "?"


def listening(process):
    """The ports at which a process listens."""
    with suppress(psutil.Error):  # it has just ended
        found = process.net_connections("inet")
        return sorted({connection.laddr.port for connection in found if connection.status == psutil.CONN_LISTEN})
    return []
