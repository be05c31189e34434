"""The cells of chapters: their tags, their names in messages, their lines in the file of the chapter.

Code cells are counted from 1, as by Jupyter and nbval; prose is named by the code cell that follows it.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import nbformat
from jupytext.myst import MystMetadataParsingError, myst_to_notebook
from nbformat import NotebookNode

from ci.book import NOT_YAML, Book, BookError, one_line
from ci.execution.compiled import COUNTS

# {tag of a cell: tag of the next cell}; two such cells are shown side by side.
PAIRS = {"without": "with", "linen": "nnx", "pytorch": "jax", "v0": "v1"}
TAGS = (  # docs/chapters.md says what each does
    *(*PAIRS.keys(), *PAIRS.values(), "raises-exception", COUNTS),
    *(f"{what}-{part}" for what in ("hide", "remove") for part in ("cell", "input", "output")),
)
# jupytext raises these for YAML that it cannot parse, that is no mapping (TypeError, ValidationError), or that is
# nested too deep.
UNREADABLE = (MystMetadataParsingError, nbformat.ValidationError, *NOT_YAML, AttributeError, TypeError)

# The first code cell of every chapter of a book with a helper module. In Colab and Kaggle it installs that module, and
# changes nothing else.
FIRST = """\
# In Colab and Kaggle only: installs {helper}, the helper module of this book.
import os
import subprocess
import sys
from importlib.util import find_spec

if "google.colab" in sys.modules or "KAGGLE_KERNEL_RUN_TYPE" in os.environ:
    source = "git+{repository}"
    pip = [sys.executable, "-m", "pip", "install", "--no-deps", source]
    if find_spec("{helper}"):
        print("{helper} is there already")
    elif subprocess.run(pip, capture_output=True).returncode:
        print(f"pip could not install {source}: switch the internet on, run this again")
    else:
        print("{helper} is installed")"""
NEEDS = "from {helper} import packages\n"  # begins the cell after it, in a chapter that needs further packages


def filled(book: Book, code: str) -> str:
    """Return `FIRST` or `NEEDS` with the names of a book."""
    return code.replace("{helper}", book.helper).replace("{repository}", book.repository)


def is_setup(book: Book, cell: NotebookNode) -> bool:
    """Return whether a cell only installs what Colab and Kaggle lack, so that no output depends on it."""
    return cell.source == filled(book, FIRST) or cell.source.startswith(filled(book, NEEDS))


class Fault(NamedTuple):
    """Something wrong at a line of a file."""

    path: str
    line: int
    what: str

    def __str__(self) -> str:
        """Return the fault as a line of text."""
        return f"{self.path}:{self.line}: {self.what}"


class Cell(NamedTuple):
    """A cell of a chapter."""

    name: str
    """Such as "code cell 3"."""
    line: int
    """The number, from 1, of its first line in the file: the fence of a code cell, the first words of prose."""
    cell: NotebookNode

    @property
    def tags(self) -> list[str]:
        """The tags of the cell."""
        return self.cell.metadata.get("tags", [])


def names(notebook: NotebookNode) -> list[str]:
    """Return the names of the cells of a notebook: "code cell 3", "the text before code cell 3", "the last text"."""
    count, total, found = 0, sum(cell.cell_type == "code" for cell in notebook.cells), []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            count += 1
            found.append(f"code cell {count}")
        else:
            found.append(f"the text before code cell {count + 1}" if count < total else "the last text")
    return found


@dataclass(frozen=True)
class Chapter:
    """A chapter as written in its Markdown file."""

    book: Book
    name: str

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self.book.source(self.name)

    @cached_property
    def notebook(self) -> NotebookNode:
        """The chapter as a notebook without outputs; `source_map` in its metadata has the line of each cell."""
        try:
            notebook = myst_to_notebook(self.path.read_text(encoding="utf-8"), add_source_map=True)
            nbformat.validate(notebook)
            return notebook
        except UNREADABLE as error:
            where = self.book.relative(self.path)
            raise BookError(f"{where}: {one_line(error)}: put these lines right, they are YAML") from error

    @cached_property
    def cells(self) -> list[Cell]:
        """The cells of the chapter."""
        lines = self.path.read_text(encoding="utf-8").splitlines()
        cells = zip(names(self.notebook), self.notebook.metadata["source_map"], self.notebook.cells, strict=True)
        found = []
        for name, start, cell in cells:
            if cell.cell_type == "markdown":  # for jupytext, it begins with the empty lines before it
                start = next(number for number, line in enumerate(lines[start:], start=start + 1) if line.strip())
            found.append(Cell(name, start, cell))
        return found

    @property
    def code(self) -> list[Cell]:
        """The code cells."""
        return [cell for cell in self.cells if cell.cell.cell_type == "code"]

    @property
    def prose(self) -> list[Cell]:
        """The Markdown cells."""
        return [cell for cell in self.cells if cell.cell.cell_type == "markdown"]
