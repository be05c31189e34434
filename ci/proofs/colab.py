"""Validates the notebooks with the packages of a Colab image.

Only the kernel runs in the environment of the image, `_build/colab`; pytest, nbval and the comparison are the book's.
"""

import os
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from uv import find_uv_bin

from ci.book import BookError, processes
from ci.proofs import checks

PYTHON = "3.13"
PACKAGES = Path(__file__).with_name("colab-2026-08.txt")
# What three cells say under the older JAX and Flax of the image, as the text of full_eval says beside them.
ANNOUNCED = ("traced without device_get: 1", "axes by default: Auto", "9252 of 12288")


def install(book, folder):
    """Makes the environment of the image anew, with this flaxbook and a kernel named "colab".

    Raises:
      BookError: there is no such Python, or a package could not be installed.
    """
    python, uv = folder / "bin" / "python", find_uv_bin()
    for problem, command in {
        f"there is no Python {PYTHON}, which Colab has: install it": [uv, "venv", "-c", "-p", PYTHON, folder],
        f"{PACKAGES.name} cannot be installed": [uv, "pip", "sync", "-p", python, PACKAGES],
        "flaxbook cannot be installed": [uv, "pip", "install", "-p", python, "--no-deps", "-e", book.root],
        "no kernel can be installed": [python, "-m", "ipykernel", "install", "--prefix", folder, "--name", "colab"],
    }.items():
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            said = next((line.strip() for line in done.stderr.splitlines() if "error" in line.lower()), "")
            raise BookError(f"{problem} ({said})")


def validate(book, folder, report):
    """Runs every cell in the environment of the image; pytest tells what it finds, and writes it as JUnit."""
    variables = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}  # only the image's packages
    variables["JUPYTER_PATH"] = str(folder / "share" / "jupyter")
    options = ["-p", "no:cacheprovider", f"--junitxml={report}", "--nbval-kernel-name", "colab"]
    command = [*checks.NOTEBOOKS, *options, f"notebooks/{book.source_language}"]
    processes.run(command, cwd=book.root, env=variables)


def unexpected(report):
    """Returns how many tests of a JUnit report failed in another way than announced."""
    failures = [failure.text for kind in ("failure", "error") for failure in ElementTree.parse(report).iter(kind)]
    return sum(not any(f"got:       {line}\n" in text for line in ANNOUNCED) for text in failures)


def run(book):
    """Makes the environment, validates the notebooks in it and prints a summary.

    Returns:
      The exit status: 0 if no cell failed but those whose chapter announces it.

    Raises:
      BookError: the environment could not be made, or pytest did not come to its end.
    """
    folder, report = book.built("colab"), book.built("colab.xml")
    report.unlink(missing_ok=True)
    install(book, folder)
    validate(book, folder, report)
    if not report.exists():
        raise BookError("pytest stopped before its end; what it says stands above")
    counts, bad = checks.tests(report), unexpected(report)
    print(f"Colab's packages: {checks.line(counts)}, of which {counts['failed'] - bad} as their chapter announces")
    return int(bad > 0 or not counts["passed"])
