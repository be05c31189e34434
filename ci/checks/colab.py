"""A plugin of pytest: with the packages of a Colab image, some cells may fail as their chapter announces.

`nox -s colab` checks the notebooks with these packages, which `colab-2026-08.txt` lists.
"""

from collections.abc import Generator

import pytest

# What cells print with the older versions of the image, as the text above them announces: in
# transfer_learning_in_depth and in multi_host.
ANNOUNCED = ("optimizer owns head gradients of all  ValueError", "this version of JAX has no such argument")


def is_announced(failure: str) -> bool:
    """Return whether the description of a failure shows an announced output."""
    return any(f"got:       {line}\n" in failure for line in ANNOUNCED)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report an announced failure as expected."""
    report = yield
    if report.failed and is_announced(report.longreprtext):
        report.outcome = "skipped"
        report.wasxfail = "announced in the chapter"
    return report
