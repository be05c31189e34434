"""Other packages, or another Python, for the cells alone: pytest, nbval and the comparison stay the book's."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from uv import find_uv_bin

from ci.book import Book, BookError


@dataclass(frozen=True)
class Environment:
    """An environment in `_build` with a kernel.

    Attributes:
      name: of its folder and of its kernel.
      python: its version, such as "3.13".
      packages: a file that lists all of them.
    """

    book: Book
    name: str
    python: str
    packages: Path

    @property
    def folder(self):
        return self.book.built(self.name)

    @property
    def options(self):
        """Those of pytest by which nbval takes the kernel."""
        return ["--nbval-kernel-name", self.name]

    @property
    def variables(self):
        """The environment variables by which Jupyter finds the kernel, and Python its packages alone."""
        variables = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        return variables | {"JUPYTER_PATH": str(self.folder / "share" / "jupyter")}

    def install(self):
        """Makes it anew, with this flaxbook.

        Raises:
          BookError: there is no such Python, or a package could not be installed.
        """
        folder, uv = self.folder, find_uv_bin()
        python = folder / "bin" / "python"
        for problem, command in {
            f"there is no Python {self.python}: install it": [uv, "venv", "-c", "-p", self.python, folder],
            f"{self.packages.name} cannot be installed": [uv, "pip", "sync", "-p", python, self.packages],
            "flaxbook cannot be installed": [uv, "pip", "install", "-p", python, "--no-deps", "-e", self.book.root],
            "no kernel can be installed": [
                *(python, "-m", "ipykernel", "install", "--prefix", folder, "--name", self.name)
            ],
        }.items():
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
            if done.returncode:
                said = next((line.strip() for line in done.stderr.splitlines() if "error" in line.lower()), "")
                raise BookError(f"{problem} ({said})")
