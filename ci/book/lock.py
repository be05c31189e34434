"""A lock that lets one command at a time work on a tree.

Only the standard library is imported, since the installation needs it. The kernel holds the lock, so it is released
however the process ends.
"""

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HELD = "FLAXBOOK_LOCK"  # set for the commands that the holder starts, which must not wait for it


@contextmanager
def held(build: Path) -> Iterator[None]:
    """Hold the lock of a folder such as `_build`, once no other command has it."""
    if os.environ.get(HELD) == str(build):
        yield
        return
    build.mkdir(exist_ok=True)
    lock = os.open(build / "lock", os.O_RDWR | os.O_CREAT)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another build of this tree is running; waiting for it to end.", file=sys.stderr, flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        os.environ[HELD] = str(build)
        yield
    finally:
        os.environ.pop(HELD, None)
        os.close(lock)
