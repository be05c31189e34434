"""Kills the training program of the chapter on checkpoints at random moments, starts it again, counts what is lost."""

import importlib
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import jupytext
from absl import logging

from ci import _
from ci.book import waiting
from ci.execution.cache import code_cells
from flaxbook import trees

CHAPTER = "book/training/checkpoints"
FILE = re.compile(r"%%writefile (?:-a )?(\S+)\n")  # at the beginning of a cell that is a file, or the end of one
PROGRAM = "program"  # the one of these files that has all it needs
RUN = "run.py"
STARTED = """\
import sys
from pathlib import Path

import numpy as np
import program

from flaxbook import data

np.savez("digits.npz", **data.load("train[:2000]", flat=True))
steps = [int(path.name) for path in Path(sys.argv[1]).glob("*") if path.name.isdigit()]
print("start", max(steps, default=0), flush=True)
program.main(sys.argv[1])
"""
SEED = 0


def write_program(book, folder):
    """Writes the files that the chapter writes, and one that runs them and says where; returns its path."""
    for cell in code_cells(jupytext.read(book.source(CHAPTER))):
        if named := FILE.match(cell.source):
            with Path(folder, named[1]).open("a", encoding="utf-8") as file:
                file.write(cell.source[named.end() :] + "\n")
    path = Path(folder, RUN)
    path.write_text(STARTED, encoding="utf-8")
    return path


def load_module(path):
    """The program beside the file that runs it."""
    sys.path.insert(0, str(path.parent))
    try:
        return importlib.import_module(PROGRAM)
    finally:
        sys.path.remove(str(path.parent))


def start(path, folder):
    """Starts the program and waits until it says from which step it goes on; returns the process and its lines."""
    command = [sys.executable, path.name, folder]
    process = subprocess.Popen(command, cwd=path.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lines = []
    for line in process.stdout:
        lines.append(line.strip())
        if line.startswith("start "):
            return process, lines
    raise RuntimeError(f"{path.name} ended before its first step:\n{process.communicate()[1]}")


def finish(process):
    errors = process.communicate()[1]
    if process.returncode:
        raise RuntimeError(f"{RUN} ended with status {process.returncode}:\n{errors}")


def newest(train, folder):
    """Restores the newest checkpoint of a folder, and no other; None if there is none. Raises what Orbax raises."""
    with train.ocp.CheckpointManager(folder.resolve()) as manager:
        step = manager.latest_step()
        return None if step is None else train.restore(manager, step, train.create_state(SEED), train.Batches({}))


def killed_run(train, path, name, delay):
    """Kills one run `delay` seconds after its first step could start, then lets it end.

    Returns whether a save was interrupted, whether the newest checkpoint was readable, from which step the run went
    on, and its last state.
    """
    folder = path.parent / name
    process, _lines = start(path, name)
    time.sleep(delay)
    process.kill()
    process.communicate()
    in_save = any(folder.glob("*.orbax-checkpoint-tmp"))
    try:
        newest(train, folder)
        readable = True
    except Exception as error:  # of any type: it depends on the file
        print(f"{name}: {type(error).__name__}: {error}")
        readable = False
    process, lines = start(path, name)
    finish(process)
    return in_save, readable and len(lines) == 1, int(lines[-1].split()[1]), newest(train, folder)


def report(book, kills):
    """Kills so many runs, prints what came of them, and returns how many lost something."""
    logging.set_verbosity(logging.FATAL)
    rng = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        path = write_program(book, folder)
        train = load_module(path)
        finish(start(path, "warm")[0])  # fills the compilation cache
        process, _lines = start(path, "whole")
        began = time.monotonic()
        finish(process)
        seconds = time.monotonic() - began
        whole = newest(train, path.parent / "whole")
        runs = []
        with waiting.stage(_("killing"), kills, _("runs")) as advance:
            for i in range(kills):
                runs.append(killed_run(train, path, f"run{i}", rng.uniform(0, seconds)))
                advance()
    in_save, readable, steps, ends = zip(*runs, strict=True)
    clean = sum(trees.differences(end, whole) == 0 for end in ends)
    print(f"kills: {kills}, in the middle of a save: {sum(in_save)}, went on from steps: {sorted(set(steps))}")
    print(f"latest checkpoint unreadable: {kills - sum(readable)}")
    print(f"resumed, and equal to the undisturbed run bit for bit at the end: {clean} of {kills}")
    return kills - min(clean, sum(readable))
