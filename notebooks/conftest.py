"""Lets `pytest --nbval notebooks/en` compare numbers with a tolerance, and figures by their looks."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
pytest_plugins = ["ci.execution.nbval"]
