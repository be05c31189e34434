"""Validates the notebooks with the packages of a Colab image."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

from ci import _
from ci.book import BookError, processes, waiting
from ci.checks import checks
from ci.checks.environments import Environment

PYTHON = "3.13"
PACKAGES = Path(__file__).with_name("colab-2026-08.txt")
# What cells say under the older versions of the image, as the text above them announces, in transfer_learning_in_depth
# and in multi_host.
ANNOUNCED = ("optimizer owns head gradients of all  ValueError", "this version of JAX has no such argument")


def validate(book, chapters, environment, report):
    """Runs the cells of all chapters, or of some, in the environment of the image; pytest tells what it finds, and
    writes it as JUnit.
    """
    options = ["-p", "no:cacheprovider", f"--junitxml={report}", *environment.options]
    command = [*checks.NOTEBOOKS, *options, *checks.notebooks(book, chapters)]
    with waiting.stage(_("validating"), shows_itself=True):
        processes.run(command, cwd=book.root, env=environment.variables)


def unexpected(report):
    """Returns how many tests of a JUnit report failed in another way than announced."""
    failures = [failure.text for kind in ("failure", "error") for failure in ElementTree.parse(report).iter(kind)]
    return sum(not any(f"got:       {line}\n" in text for line in ANNOUNCED) for text in failures)


def run(book, chapters=()):
    """Makes the environment, validates the notebooks in it and prints a summary.

    Args:
      chapters: whose notebooks; by default all.

    Returns:
      The exit status: 0 if no cell failed but those whose chapter announces it.

    Raises:
      BookError: the environment could not be made, or pytest did not come to its end.
    """
    environment, report = Environment(book, "colab", PYTHON, PACKAGES), book.built("colab.xml")
    report.unlink(missing_ok=True)
    environment.install()
    validate(book, chapters, environment, report)
    if not report.exists():
        raise BookError("pytest stopped before its end; what it says stands above")
    counts, bad = checks.tests(report), unexpected(report)
    print(f"Colab's packages: {checks.line(counts)}, of which {counts['failed'] - bad} as their chapter announces")
    return int(bad > 0 or not counts["passed"])
