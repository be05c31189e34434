"""Lets `pytest --nbval notebooks/en` compare numbers with a tolerance, and figures by their looks."""

from ci.execution.nbval import (  # noqa: F401
    pytest_addoption,
    pytest_collect_file,
    pytest_configure,
    pytest_runtest_makereport,
)
