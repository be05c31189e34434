"""Runs a command while no other build of this tree runs: python3 ci/lock.py COMMAND...

Standard library only: it runs before anything is installed. The lock is the kernel's, held by the command itself, so
that it is released however the command ends.
"""

import fcntl
import os
import sys
from pathlib import Path

HELD = "FLAXBOOK_LOCK"

if __name__ == "__main__":
    build = Path(__file__).resolve().parents[1] / "_build"
    if os.environ.get(HELD) != str(build):
        build.mkdir(exist_ok=True)
        lock = os.open(build / "lock", os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another build of this tree is running; waiting for it to end.", file=sys.stderr, flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        os.set_inheritable(lock, True)
        os.environ[HELD] = str(build)
    os.execvp(sys.argv[1], sys.argv[1:])
