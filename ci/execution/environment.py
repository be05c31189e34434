"""On what and when a chapter was executed."""

import os
import platform
import re
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("jax", "jaxlib", "flax", "optax", "orbax-checkpoint", "numpy", "transformers")


def processor():
    """The name of the processor, as far as the system tells it."""
    try:
        found = re.search(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:  # macOS, Windows
        found = None
    return found[1] if found else platform.processor() or platform.machine()


def environment():
    """Returns a dict of strings and numbers that JSON can hold."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "cores": os.cpu_count(),
        "Python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
    }
