"""The training program of the chapter on checkpoints loses nothing when it is killed."""

import contextlib
import importlib
import random
import re
import subprocess
import sys
import time

import jupytext
import numpy as np
import pytest

from ci.book import here
from ci.execution.cache import code_cells
from ci.execution.environment import prepare_data
from flaxbook import trees

CHAPTER = "book/training/checkpoints"
FILE = re.compile(r"%%writefile (?:-a )?(\S+)\n")  # begins a cell that is a file, or the end of one
PROGRAM = "program"  # the file that has all it needs
RUN = """\
import sys
from pathlib import Path

import numpy as np

from flaxbook import data

np.savez("digits.npz", **data.load("train[:2000]", flat=True))

import program

steps = [int(path.name) for path in Path(sys.argv[1]).glob("*") if path.name.isdigit()]
print(max(steps, default=0), flush=True)
program.run(sys.argv[1], 40)
"""
SEED = 0
KILLS = 20


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files that the chapter writes, and a program that runs them."""
    folder = tmp_path_factory.mktemp("program")
    for cell in code_cells(jupytext.read(here().source(CHAPTER))):
        if name := FILE.match(cell.source):
            with (folder / name[1]).open("a", encoding="utf-8") as file:
                file.write(cell.source[name.end() :] + "\n")
    (folder / "run.py").write_text(RUN, encoding="utf-8")
    np.savez(folder / "digits.npz", image=np.zeros((2000, 784), np.float32), label=np.zeros(2000, np.int32))
    return folder


@pytest.fixture(scope="module")
def program(folder):
    """The program as a module."""
    sys.path.insert(0, str(folder))
    with contextlib.chdir(folder):
        yield importlib.import_module(PROGRAM)
    sys.path.remove(str(folder))
    del sys.modules[PROGRAM], sys.modules["network"]


def start(folder, name):
    """Start a run and wait until its first step can begin; return (process, step from which it goes on)."""
    command = [sys.executable, "run.py", name]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in process.stdout:
        if line.strip().isdigit():
            return process, int(line)
    pytest.fail(process.communicate()[1])


def run_to_the_end(folder, name):
    """Return the number of the step from which a run went on."""
    process, step = start(folder, name)
    errors = process.communicate()[1]
    assert process.returncode == 0, errors
    return step


def newest(program, folder):
    """Return the state of the newest checkpoint in a folder, or None."""
    ocp = program.ocp
    with ocp.CheckpointManager(folder.resolve()) as manager:
        step, target = manager.latest_step(), program.create_state(SEED)
        return None if step is None else manager.restore(step, args=ocp.args.StandardRestore(target))


@pytest.mark.slow
def test_a_run_that_is_killed_at_any_moment_ends_as_if_it_had_not_been(folder, program):
    prepare_data(here().helper)
    run_to_the_end(folder, "warm")  # fills the compilation cache
    process, _step = start(folder, "whole")
    began = time.monotonic()
    process.communicate()
    seconds, whole = time.monotonic() - began, newest(program, folder / "whole")
    rng, steps = random.Random(SEED), []
    for number in range(KILLS):
        process, _step = start(folder, f"run{number}")
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=rng.uniform(0, seconds))
        process.kill()
        process.communicate()
        newest(program, folder / f"run{number}")  # can be read
        steps.append(run_to_the_end(folder, f"run{number}"))
        assert trees.differences(newest(program, folder / f"run{number}"), whole) == 0
    assert len(set(steps)) > 1  # not all were killed before the first checkpoint
