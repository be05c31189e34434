"""What a command leaves behind on this machine: processes, their ports, files in its temporary folder."""

import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil

MARK = "FLAXBOOK_WATCHED"
PATIENCE = 5  # seconds for what is just ending


class Watched:
    """A temporary folder and a mark in the environment, by which what a command has left is found.

    Attributes:
      variables: for the environment of the command.
    """

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.variables = {"TMPDIR": self.folder.name, MARK: self.folder.name}
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def left(self):
        """What is there now: (processes, ports, files), each a list of names."""
        until = time.monotonic() + PATIENCE
        while (found := marked(self.folder.name)) and time.monotonic() < until:
            time.sleep(0.1)
        processes = [f"{process.pid} {command(process)}" for process in found]
        ports = [str(port) for process in found for port in listening(process)]
        return processes, ports, sorted(path.name for path in Path(self.folder.name).iterdir())


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
