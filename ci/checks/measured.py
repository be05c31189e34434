"""What commands cost: seconds, and the memory of all their processes together."""

import os
import threading
import time
from contextlib import contextmanager, suppress

import psutil

from ci import _
from ci.book import BookError, processes

EVERY = 1  # seconds between two looks at the memory
SHOWN = 3000  # characters of what a command that failed has said


def memory_below(process):
    """Bytes of all descendants of a process; what several of them share is shared out, where the system tells."""
    total = 0
    for child in process.children(recursive=True):
        with suppress(psutil.Error):  # it has ended meanwhile
            found = child.memory_full_info()
            total += getattr(found, "pss", found.uss)
    return total


def processor_seconds():
    """Of all descendants that have ended and were waited for."""
    times = os.times()
    return times.children_user + times.children_system


@contextmanager
def watched(found):
    """Appends the memory of this process's descendants to a list while the body runs, at least once."""
    process, ended = psutil.Process(), threading.Event()

    def look():
        found.append(memory_below(process))
        while not ended.wait(EVERY):
            found.append(memory_below(process))

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


class Meter:
    """Runs commands one after the other.

    Args:
      environment: of the commands.
      log: a file that gets what they say.
      tell: called with a line after each of them.

    Attributes:
      seconds: of all of them together.
      processor: the seconds that all cores together were at work for them; a process counts once it was waited for.
      memory: in bytes, when it was most.
    """

    def __init__(self, environment, log, tell):
        self.environment, self.log, self.tell = environment, log, tell
        self.seconds, self.processor, self.memory = 0.0, 0.0, 0

    def run(self, command, folder):
        """Runs a command in a folder; returns what it said.

        Raises:
          BookError: it failed.
        """
        found, before = [], processor_seconds()
        with self.log.open("w+", encoding="utf-8") as file, watched(found):
            start = time.monotonic()
            status = processes.run(command, cwd=folder, env=self.environment, stdout=file, stderr=file)
            seconds = time.monotonic() - start
        self.seconds, self.memory = self.seconds + seconds, max([self.memory, *found])
        self.processor += processor_seconds() - before
        said = self.log.read_text(encoding="utf-8", errors="replace")
        words = " ".join(str(word).rpartition("/")[2] for word in command)
        if status:
            raise BookError(_("{command} failed: {said}"), command=words, said=said[-SHOWN:])
        self.tell(f"  {seconds:7.1f} s  {words}")
        return said
