"""The machine and the day on which a chapter was executed."""

import os
import platform
import re
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("jax", "jaxlib", "flax", "optax", "orbax-checkpoint", "numpy", "transformers")


def processor() -> str:
    """Return the name of the processor, or of its architecture if the system does not tell the name."""
    try:
        model = re.search(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:  # macOS, Windows
        model = None
    return model[1] if model else platform.processor() or platform.machine()


def environment() -> dict[str, str | int | None]:
    """Return the date, the machine and the versions of packages, for JSON."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "cores": os.cpu_count(),
        "Python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
    }
