"""Validates the notebooks as other machines would: other instruction sets, cores, time zones, locales, hash seeds, a
home that cannot be written, another Python.
"""

import itertools
import os
import shutil
from pathlib import Path

from ci import _
from ci.book import BookError, processes, waiting
from ci.execution import run
from ci.proofs.checks import VALIDATE
from ci.proofs.environments import Environment

SHAPES = {
    "native": {"PYTHONHASHSEED": "0"},
    "avx2": {"XLA_FLAGS": "--xla_cpu_max_isa=AVX2", "TZ": "Asia/Seoul", "PYTHONHASHSEED": "1"},
    "avx": {"XLA_FLAGS": "--xla_cpu_max_isa=AVX", "LC_ALL": "C", "LANG": "C"},
    "sse4": {"XLA_FLAGS": "--xla_cpu_max_isa=SSE4_2", "LC_ALL": "ko_KR.UTF-8", "HOME": "/dev/null"},
}
CORES = (1, 2)
DATA = "TFDS_DATA_DIR"


def validate(book, cores, shape, log, environment=None):
    """Validates all notebooks on so many cores; returns the exit status.

    Args:
      shape: variables, of `SHAPES`.
      log: a path for what pytest says.
      environment: in which the cells are executed, instead of the book's.
    """
    command = ["taskset", "-c", f"0-{cores - 1}", *VALIDATE, "-n", str(cores)]
    home = {DATA: os.environ.get(DATA) or str(Path.home() / "tensorflow_datasets")}
    options, variables = (environment.options, environment.variables) if environment else ([], os.environ)
    with log.open("wb") as file:
        return processes.run(
            [*command, "-p", "no:cacheprovider", *options, f"notebooks/{book.source_language}"],
            cwd=book.root, env=variables | home | shape, stdout=file, stderr=file,
        )  # fmt: skip


def report(book, repetitions, python=None):
    """Prints a line for each shape of a machine; returns the exit status.

    Args:
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
    failed = 0
    shapes = list(itertools.product(range(1, repetitions + 1), CORES, SHAPES.items()))
    with waiting.stage(_("validating"), len(shapes), _("environments")) as advance:
        for number, cores, (name, shape) in shapes:
            log = folder / f"{number}-{name}-{cores}.log"
            status = validate(book, cores, shape, log, environment)
            failed += bool(status)
            said = log.read_text(encoding="utf-8").rstrip().rpartition("\n")[2]
            print(f"{log.stem}: {said}" + f", see {book.relative(log)}" * bool(status), flush=True)
            advance()
    print(f"{failed} failed")
    return int(failed > 0)
