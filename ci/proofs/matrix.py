"""Validates the notebooks as other machines would: other instruction sets, cores, time zones, locales, hash seeds, a
home that cannot be written.
"""

import os
import shutil
from pathlib import Path

from ci.book import BookError, processes
from ci.execution import run
from ci.proofs.checks import VALIDATE

ENVIRONMENTS = {
    "native": {"PYTHONHASHSEED": "0"},
    "avx2": {"XLA_FLAGS": "--xla_cpu_max_isa=AVX2", "TZ": "Asia/Seoul", "PYTHONHASHSEED": "1"},
    "avx": {"XLA_FLAGS": "--xla_cpu_max_isa=AVX", "LC_ALL": "C", "LANG": "C"},
    "sse4": {"XLA_FLAGS": "--xla_cpu_max_isa=SSE4_2", "LC_ALL": "ko_KR.UTF-8", "HOME": "/dev/null"},
}
CORES = (1, 2)
DATA = "TFDS_DATA_DIR"


def validate(book, cores, environment, log):
    """Validates all notebooks on so many cores; returns the exit status."""
    command = ["taskset", "-c", f"0-{cores - 1}", *VALIDATE, "-n", str(cores)]
    home = {DATA: os.environ.get(DATA) or str(Path.home() / "tensorflow_datasets")}
    with log.open("wb") as file:
        return processes.run(
            [*command, "-p", "no:cacheprovider", f"notebooks/{book.source_language}"],
            cwd=book.root, env=os.environ | home | environment, stdout=file, stderr=file,
        )  # fmt: skip


def report(book, repetitions):
    """Prints a line for each shape of a machine; returns the exit status.

    Raises:
      BookError: this machine cannot give a command some of its cores.
    """
    if not shutil.which("taskset"):
        raise BookError("taskset is needed, which Linux has (Debian: apt install util-linux)")
    run.prepare_data()
    folder = book.built("matrix")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    failed = 0
    for number in range(1, repetitions + 1):
        for cores in CORES:
            for name, environment in ENVIRONMENTS.items():
                log = folder / f"{number}-{name}-{cores}.log"
                status = validate(book, cores, environment, log)
                failed += bool(status)
                said = log.read_text(encoding="utf-8").rstrip().rpartition("\n")[2]
                print(f"{log.stem}: {said}" + f", see {book.relative(log)}" * bool(status), flush=True)
    print(f"{failed} failed")
    return int(failed > 0)
