"""Install in Colab and Kaggle what a single chapter needs besides, without changing a package that is there."""

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.requirements import Requirement

FOLDER = Path.home() / ".cache" / "flaxbook"
KEPT = ("flax", "jax", "jaxlib", "numpy", "optax", "tensorflow")  # which the notebook may have imported already


def hosted() -> bool:
    """Return whether this is a notebook in Colab or Kaggle."""
    return "google.colab" in sys.modules or "KAGGLE_KERNEL_RUN_TYPE" in os.environ


def version(name: str) -> str | None:
    """Return the version of a package that Python finds, or None."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def prefer(folder: Path) -> None:
    """Let Python look into a folder first, if it exists."""
    if folder.is_dir() and str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def install(*arguments: str) -> str:
    """Call `pip install` and return what it prints.

    Raises:
      OSError: It failed; the message is the last line that it printed.
    """
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise OSError("".join(done.stderr.strip().splitlines()[-1:]))
    return done.stdout


def planned(requirement: str, kept: Iterable[str]) -> dict[str, str]:
    """Return {package: version} of what pip would install for a requirement if it must keep some packages.

    Raises:
      OSError: pip failed, for example because the requirement does not fit what is kept.
    """
    with TemporaryDirectory() as folder:
        constraints = Path(folder) / "constraints.txt"
        constraints.write_text("".join(f"{name}=={version(name)}\n" for name in kept if version(name)))
        report = install("--dry-run", "--report", "-", requirement, "--constraint", str(constraints))
    packages = (item["metadata"] for item in json.loads(report)["install"])
    return {package["name"]: package["version"] for package in packages}


def plan(requirement: str, name: str) -> dict[str, str]:
    """Return the `planned` packages beside all that are installed, or else beside those that must be kept.

    Raises:
      OSError: pip failed.
    """
    installed = {one.name for one in metadata.distributions() if one.name} - {name}
    try:
        return planned(requirement, installed)
    except OSError:
        return planned(requirement, KEPT)


def need(requirement: str) -> None:
    """Do nothing if a package is installed in a version that fits; else install it in Colab and Kaggle.

    No package that is there is changed. If the new ones would replace some, all of them go into a folder of their own,
    where Python looks first.

    Args:
      requirement: as for pip, such as "ray[tune]" or "transformers<5". Extras are only passed on to pip.

    Raises:
      ModuleNotFoundError: the package is missing, and this is neither Colab nor Kaggle, or pip has failed.
    """
    wanted = Requirement(requirement)
    folder = FOLDER / wanted.name
    prefer(folder)
    found = version(wanted.name)
    if found and wanted.specifier.contains(found, prereleases=True):
        return
    if not hosted():
        raise ModuleNotFoundError(f'this notebook needs {requirement}: pip install "{requirement}"')
    try:
        new = plan(requirement, wanted.name)
        apart = ["--upgrade", "--target", str(folder)] if any(map(version, new)) else []
        install("--no-deps", *apart, *(f"{name}=={number}" for name, number in new.items()))
    except OSError as error:
        what = f"pip could not install {requirement}: switch the internet on and run this cell again ({error})"
        raise ModuleNotFoundError(what) from None
    importlib.invalidate_caches()
    prefer(folder)
    print(f"{requirement} is installed")
