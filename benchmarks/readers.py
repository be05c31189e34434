"""Run the notebooks as readers do: copied out of the repository, with an empty home, and with other packages.

`nox -s "readers(NAME)"` installs the packages of an environment of `book/environments.toml` and calls `main` with its
Python. The cells that install something run as in Kaggle, so that pip is really called; the address of the repository
leads to the last commit of this one. Then nbval runs the notebooks in kernels of the environment.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat

from ci.book import Book, here
from ci.execution.environment import environments
from ci.execution.nbval import ENVIRONMENT
from ci.notebooks.cells import is_setup

KAGGLE = {"KAGGLE_KERNEL_RUN_TYPE": "Interactive"}


def installed(python: str) -> set[str]:
    """Return "NAME==VERSION" of what is installed for a Python."""
    command = [python, "-m", "pip", "list", "--format=freeze", "--disable-pip-version-check"]
    return set(subprocess.check_output(command, text=True).splitlines())


def run(book: Book, name: str, python: str, notebooks: list[Path], folder: Path) -> int:
    """Run notebooks of the book from copies in an empty folder; return the exit status of pytest."""
    shutil.copytree(book.root / "notebooks", folder / "notebooks")
    (folder / "home").mkdir()
    variables = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    variables |= {"HOME": str(folder / "home"), "JUPYTER_PATH": str(folder / "share" / "jupyter")}
    variables |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.{book.root.as_uri()}.insteadOf"}
    variables |= {"GIT_CONFIG_VALUE_0": book.repository} | environments(book)[name].variables
    cells = [nbformat.read(path, as_version=4).cells for path in notebooks]
    setups = {"\n".join(cell.source for cell in own if is_setup(book, cell)) for own in cells}
    for program in sorted(setups) if book.helper else ():
        code = f"{program}\nimport {book.helper}"
        subprocess.run([python, "-c", code], check=True, cwd=folder, env=variables | KAGGLE)
    kernel = [python, "-m", "ipykernel", "install", "--prefix", str(folder), "--name", name]
    subprocess.run(kernel, check=True, stdout=subprocess.DEVNULL)
    where = ["-c", str(book.root / "pyproject.toml"), "--rootdir", str(folder), "-o", f"pythonpath={book.root}"]
    spread = ["-q", "-n", "auto", "--dist", "loadscope", "-p", "no:cacheprovider"]
    own = ["--nbval", "--nbval-kernel-name", name, ENVIRONMENT, name, *map(book.relative, notebooks)]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *where, *spread, *own], cwd=folder, env=variables
    ).returncode


def main(name: str, python: str, *chosen: str) -> int:
    """Run the chosen notebooks, by default those of the source language; return 0 if all is well.

    It is not if a cell has failed, or if the cells that install something have changed a package that was there.
    """
    book, before = here(), installed(python)
    notebooks = [book.notebook(chapter, book.source_language) for chapter in book.chapters]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        status = run(book, name, python, [book.root / path for path in chosen] or notebooks, Path(folder))
    gone = before - installed(python)
    print("packages that were changed or removed:", ", ".join(sorted(gone)) or "none")
    return status or int(bool(gone))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
