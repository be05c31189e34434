"""A pytest plugin for `nox -s colab`, which validates the notebooks with the packages of a Colab image.

`colab-2026-08.txt` lists these packages. The plugin reports a failing cell as expected if its chapter announces that
the cell fails with them.
"""

from collections.abc import Generator

import pytest

# Lines that cells of transfer_learning_in_depth and multi_host_hangs print with the older packages of the image. The
# text above these cells announces it.
ANNOUNCED = ("optimizer owns head gradients of all  ValueError", "this version of JAX has no such argument")


def is_announced(failure: str) -> bool:
    """Return whether the report of a failure shows one of the announced lines as the fresh output."""
    return any(f"got:       {line}\n" in failure for line in ANNOUNCED)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Change the report of an announced failure to an expected one (xfail)."""
    report = yield
    if report.failed and is_announced(report.longreprtext):
        report.outcome = "skipped"
        report.wasxfail = "announced in the chapter"
    return report
