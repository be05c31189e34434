"""Run the notebooks as readers do: copied out of the repository, with an empty home, and with other packages.

`nox -s "readers(NAME)"` installs the packages of an environment of `book/environments.toml` and calls `main`
with its Python:

1. The cells that install something run as in Kaggle, so that pip is really called. The address of the repository leads
   to the last commit of this one.
2. nbval runs the notebooks in kernels of the environment. Of languages with the same code and outputs, one runs.
3. The outcome goes into `_build/environments/NAME.json` and into `book/environments.json`, which the page on how the
   book was built shows; that of some notebooks only beside one of all with the same versions.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import nbformat

from ci.book import Book, here
from ci.checks import checks
from ci.execution import environments
from ci.execution.environments import Failure, Outcome
from ci.execution.nbval import ANNOUNCED, ENVIRONMENT
from ci.notebooks.cells import is_setup

AS_IN_KAGGLE = {"KAGGLE_KERNEL_RUN_TYPE": "Interactive"}
SHOWN = ("jax", "flax", "optax", "orbax-checkpoint")  # packages whose versions are reported
COLOUR = re.compile(r"#x1B\[[\d;]*m")  # as pytest writes it into a JUnit report
LONGEST = 2000  # characters of a reported difference


def setups(book: Book, notebooks: Iterable[Path]) -> list[str]:
    """Return the distinct programs that the cells of notebooks make which install what a reader lacks.

    Each ends with an import of the helper module.
    """
    cells = [nbformat.read(path, as_version=4).cells for path in notebooks]
    last = [f"import {book.helper}"] if book.helper else []
    programs = ([*(cell.source for cell in own if is_setup(book, cell)), *last] for own in cells)
    return list(dict.fromkeys(map("\n".join, programs)))


def distinct(notebooks: Iterable[Path]) -> list[Path]:
    """Return the notebooks without those that have the code and the stored outputs of an earlier one."""
    first: dict[str, Path] = {}
    for path in notebooks:
        code = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
        first.setdefault(json.dumps([(cell.source, cell.outputs) for cell in code]), path)
    return list(first.values())


def local_repository(book: Book) -> dict[str, str]:
    """Return variables with which git takes the repository of the book from this folder, not from its host."""
    rule = f"url.{book.root.as_uri()}.insteadOf"
    return {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": rule, "GIT_CONFIG_VALUE_0": book.repository}


def installed(python: str) -> dict[str, str]:
    """Return {package: version} of what is installed for a Python."""
    command = [python, "-m", "pip", "list", "--format=json", "--disable-pip-version-check"]
    packages = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {package["name"].lower(): package["version"] for package in packages}


def run_setups(python: str, programs: Iterable[str], folder: Path, variables: Mapping[str, str]) -> None:
    """Run programs as in Kaggle; raise CalledProcessError if one fails."""
    for program in programs:
        subprocess.run([python, "-c", program], check=True, cwd=folder, env={**variables, **AS_IN_KAGGLE})


def changes(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Return the changed and removed packages, and the added ones, between two results of `installed`."""
    now = {name: after.get(name, "removed") for name in before}
    changed = [f"{name} {before[name]} -> {version}" for name, version in now.items() if version != before[name]]
    return sorted(changed), sorted(after.keys() - before.keys())


def run_notebooks(book: Book, name: str, notebooks: Sequence[str], folder: Path, variables: Mapping[str, str]) -> Path:
    """Run notebooks below `folder` with the kernel `name`; return the path of the JUnit report."""
    report = folder / "report.xml"
    where = ["-c", str(book.root / "pyproject.toml"), "--rootdir", str(folder), "-o", f"pythonpath={book.root}"]
    spread = ["-q", "-n", "auto", "--dist", "loadscope", "-p", "no:cacheprovider"]
    own = [ENVIRONMENT, name, f"--junitxml={report}"]
    command = [sys.executable, "-m", "pytest", *where, *spread, *own, "--nbval", "--nbval-kernel-name", name]
    subprocess.run([*command, *notebooks], cwd=folder, env=dict(variables))
    return report


def results(report: Path) -> tuple[dict[str, dict[str, int]], list[Failure]]:
    """Return {notebook: {kind of result: cells}} and the failures, from a JUnit report of nbval."""
    counts: dict[str, Counter[str]] = {}
    failures = []
    for case in ElementTree.parse(report).iter("testcase"):
        notebook = case.get("classname", "").removesuffix(".ipynb").replace(".", "/") + ".ipynb"
        kind = checks.kind(case)
        if kind == "failed":
            text = COLOUR.sub("", "".join(case.itertext()))
            failures.append(Failure(notebook, case.get("name", ""), text[:LONGEST]))
        announced = any(skipped.get("message") == ANNOUNCED for skipped in case.iter("skipped"))
        counts.setdefault(notebook, Counter())["announced" if announced else kind] += 1
    return {notebook: dict(count) for notebook, count in counts.items()}, failures


def main(name: str, python: str, *chosen: str) -> int:
    """Run the chosen notebooks, or all, in the environment `name`, whose Python is `python`; return the exit status.

    The status is 1 if a cell failed or the installation changed a package of the environment.
    """
    book, environment = here(), environments.load()[name]
    before = installed(python)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        folder = Path(temporary)
        notebooks = shutil.copytree(book.root / "notebooks", folder / "notebooks")
        home, kernels = folder / "home", folder / "kernels"
        home.mkdir()
        variables = {**os.environ, **local_repository(book), "HOME": str(home)} | environment.variables
        variables.pop("PYTHONPATH", None)
        paths = [folder / notebook for notebook in chosen] or distinct(sorted(notebooks.rglob("*.ipynb")))
        run_setups(python, setups(book, paths), folder, variables)
        command = [python, "-m", "ipykernel", "install", "--prefix", str(kernels), "--name", name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        variables["JUPYTER_PATH"] = str(kernels / "share" / "jupyter")
        words = [path.relative_to(folder).as_posix() for path in paths]
        cells, failures = results(run_notebooks(book, name, words, folder, variables))
    after = installed(python)
    versions = {"Python": environment.python} | {package: after[package] for package in SHOWN if package in after}
    changed, added = changes(before, after)
    outcome = Outcome(time.strftime("%Y-%m-%d"), versions, changed, added, cells, failures)
    environments.write(book.built("environments", f"{name}.json"), {name: outcome})
    stored = environments.read(environments.path(book)).get(name)
    if not chosen:
        environments.store(book, name, outcome)
    elif stored and stored.versions == versions:
        environments.store(book, name, environments.renewed(stored, outcome))
    total = sum(map(Counter, cells.values()), Counter[str]())
    print(f"{name}: {dict(total)}; packages changed: {changed}, added: {added}")
    return int(bool(failures or changed))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
