"""Lets `pytest --nbval notebooks/en` compare numbers with a tolerance, and figures by their looks."""

pytest_plugins = ["ci.execution.nbval"]
