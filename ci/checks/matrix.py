"""Validates the notebooks as other machines would: other instruction sets, cores, time zones, locales, hash seeds, a
home that cannot be written, another Python.
"""

import itertools
import os
import shutil
from collections import Counter
from pathlib import Path

from ci import _
from ci.book import BookError, processes, waiting
from ci.checks.checks import VALIDATE, notebooks
from ci.checks.environments import Environment
from ci.checks.left import Watched
from ci.execution import run

SHAPES = {
    "native": {"PYTHONHASHSEED": "0"},
    "avx2": {"XLA_FLAGS": "--xla_cpu_max_isa=AVX2", "TZ": "Asia/Seoul", "PYTHONHASHSEED": "1"},
    "avx": {"XLA_FLAGS": "--xla_cpu_max_isa=AVX", "LC_ALL": "C", "LANG": "C"},
    "sse4": {"XLA_FLAGS": "--xla_cpu_max_isa=SSE4_2", "LC_ALL": "ko_KR.UTF-8", "HOME": "/dev/null"},
}
NATIVE = ("native",)
CORES = (1, 2)
LEFT = ("processes", "ports", "files", "segments of shared memory")
DATA = "TFDS_DATA_DIR"


def validate(book, paths, cores, shape, log, environment=None):
    """Validates notebooks on so many cores; returns the exit status.

    Args:
      paths: of notebooks or of folders.
      shape: variables, of `SHAPES`, and others.
      log: a path for what pytest says.
      environment: in which the cells are executed, instead of the book's.
    """
    command = ["taskset", "-c", f"0-{cores - 1}", *VALIDATE, "-n", str(cores)]
    home = {DATA: os.environ.get(DATA) or str(Path.home() / "tensorflow_datasets")}
    options, variables = (environment.options, environment.variables) if environment else ([], os.environ)
    command += ["-p", "no:cacheprovider", f"--basetemp={log.with_suffix('')}"]  # or else it would leave a folder
    with log.open("wb") as file:
        return processes.run(
            [*command, *options, *paths],
            cwd=book.root, env=variables | home | shape, stdout=file, stderr=file,
        )  # fmt: skip


def report(book, repetitions, chapters=(), python=None):
    """Prints a line for each shape of a machine, with what the validation has left; returns the exit status.

    Args:
      chapters: those to validate, on this machine as it is; by default all, in all shapes.
      python: the version in which the cells are executed, such as "3.13"; by default the book's.

    Raises:
      BookError: this machine cannot give a command some of its cores, or has no such Python.
    """
    if not shutil.which("taskset"):
        raise BookError("taskset is needed, which Linux has (Debian: apt install util-linux)")
    environment = Environment(book, f"python-{python}", python, book.root / "requirements.txt") if python else None
    if environment:
        environment.install()
    run.prepare_data()
    folder = book.built("matrix")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    failed, left = 0, Counter()
    runs = list(itertools.product(range(1, repetitions + 1), CORES, NATIVE if chapters else SHAPES))
    with waiting.stage(_("validating"), len(runs), _("environments")) as advance:
        for number, cores, name in runs:
            log = folder / f"{number}-{name}-{cores}.log"
            with Watched() as watched:
                variables = SHAPES[name] | watched.variables
                status = validate(book, notebooks(book, chapters), cores, variables, log, environment)
                found = dict(zip(LEFT, watched.left(), strict=True))
            failed += bool(status)
            left.update({kind: len(names) for kind, names in found.items()})
            said = log.read_text(encoding="utf-8").rstrip().rpartition("\n")[2]
            leaves = "".join(f"; left {kind}: {', '.join(names)}" for kind, names in found.items() if names)
            print(f"{log.stem}: {said}{leaves}" + f", see {book.relative(log)}" * bool(status), flush=True)
            advance()
    print(f"{failed} of {len(runs)} failed; left: " + ", ".join(f"{left[kind]} {kind}" for kind in LEFT))
    return int(failed > 0 or left.total() > 0)
