"""One command at a time works on a tree.

Standard library only, since installation needs it. The lock is the kernel's, so that it is released however its holder
ends.
"""

import fcntl
import os
import sys
from contextlib import contextmanager

HELD = "FLAXBOOK_LOCK"  # an environment variable; commands that a holder starts do not wait for it


def take(build):
    """Takes the lock of a folder such as `_build`, after another command that has it; returns its file descriptor."""
    build.mkdir(exist_ok=True)
    lock = os.open(build / "lock", os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("Another build of this tree is running; waiting for it to end.", file=sys.stderr, flush=True)
        fcntl.flock(lock, fcntl.LOCK_EX)
    os.environ[HELD] = str(build)
    return lock


@contextmanager
def held(build):
    """Holds the lock of a folder."""
    if os.environ.get(HELD) == str(build):
        yield
        return
    lock = take(build)
    try:
        yield
    finally:
        del os.environ[HELD]
        os.close(lock)
