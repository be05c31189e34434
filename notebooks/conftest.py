"""Lets `pytest --nbval notebooks/en` compare numbers with a tolerance, and figures by their looks."""

from ci.outputs.nbval import pytest_collect_file, pytest_configure  # noqa: F401
