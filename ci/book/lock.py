"""A lock by which only one command at a time works on a working tree; the system releases it however they end.

Imports only the standard library, since the installation uses it.
"""

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HELD = "FLAXBOOK_LOCK"  # environment variable for the subprocesses of the holder, which must not wait for the lock


@contextmanager
def held(build: Path) -> Iterator[None]:
    """Wait until no other command holds the lock of a folder such as `_build`, and hold it within the context."""
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
