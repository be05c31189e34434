"""Measures what building costs on this machine: the data, a build from nothing, a build with nothing changed."""

import os
import shutil
import subprocess
import sys
import tempfile
import time

CI = [sys.executable, "-m", "ci"]


def timed(book, name, command, **environment):
    """Runs a command and prints how long it took, with its last line."""
    start = time.monotonic()
    done = subprocess.run(
        command, cwd=book.root, env=os.environ | environment, capture_output=True, text=True, check=True
    )
    said = [line for line in done.stdout.splitlines() if "cells executed" in line or ": ready in" in line]
    print(f"{name}: {time.monotonic() - start:.1f} s; {said[-1] if said else ''}", flush=True)


def print_chapters(book, **options):
    """Prints how long each chapter takes, from an empty cache."""
    from ci.execution import run

    shutil.rmtree(book.built("cache"), ignore_errors=True)
    run.execute(book, **options)


def report(book):
    """Prints all figures."""
    print(f"{os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        timed(book, "digits28 from nothing", [sys.executable, "-m", "flaxbook"], TFDS_DATA_DIR=folder)
    print("each chapter with the machine to itself:")
    print_chapters(book, alone=True)
    print("all at once, as the build runs them:")
    print_chapters(book)
    for name in ("cache", "sphinx"):
        shutil.rmtree(book.built(name), ignore_errors=True)
    timed(book, "book from nothing", [*CI, "build"])
    timed(book, "book with nothing changed", [*CI, "build"])
