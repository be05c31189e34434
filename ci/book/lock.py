"""One command at a time works on a tree.

Standard library only: installation runs under it too, as `python3 ci/book/lock.py COMMAND...`. The lock is the
kernel's, so that it is released however its holder ends.
"""

import fcntl
import os
import sys
from contextlib import contextmanager
from pathlib import Path

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


if __name__ == "__main__":
    build = Path(__file__).resolve().parents[2] / "_build"
    if os.environ.get(HELD) != str(build):
        os.set_inheritable(take(build), True)  # the command itself holds it from here
    os.execvp(sys.argv[1], sys.argv[1:])
