"""Names cells in messages, and finds them in the file of their chapter.

Code cells are counted from 1, as by Jupyter and nbval; prose is named by the code cell it stands before.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import nbformat
import yaml
from jupytext.myst import MystMetadataParsingError, myst_to_notebook

from ci.book import Book, BookError

# jupytext raises these for YAML that it cannot parse, that is no mapping (TypeError, ValidationError), or that is
# nested too deep.
UNREADABLE = (MystMetadataParsingError, nbformat.ValidationError, yaml.YAMLError, TypeError, RecursionError)


class Cell(NamedTuple):
    """A cell of a chapter.

    Attributes:
      name: such as "code cell 3".
      line: of the file, from 1: of the fence of a code cell, of the first words of prose.
      cell: the cell as the notebook has it.
    """

    name: str
    line: int
    cell: nbformat.NotebookNode

    @property
    def tags(self):
        return self.cell.metadata.get("tags", [])


def names(notebook):
    """Lists the names of the cells of a notebook: "code cell 3", "the text before code cell 3", "the last text"."""
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
    """A chapter as it stands in its Markdown file."""

    book: Book
    name: str

    @property
    def path(self):
        return self.book.source(self.name)

    @cached_property
    def notebook(self):
        """The chapter as a notebook without outputs; the metadata have `source_map`, where each cell begins.

        Raises:
          BookError: the metadata of the file or of a cell cannot be read.
        """
        try:
            notebook = myst_to_notebook(self.path.read_text(encoding="utf-8"), add_source_map=True)
            nbformat.validate(notebook)
            return notebook
        except UNREADABLE as error:
            reason = " ".join(str(error).split("\n\n")[0].split())
            raise BookError(
                f"{self.book.relative(self.path)}: {reason}: put these lines right, they are YAML"
            ) from error

    @cached_property
    def cells(self):
        """Lists a `Cell` for each cell."""
        lines = self.path.read_text(encoding="utf-8").splitlines()
        found = zip(names(self.notebook), self.notebook.metadata["source_map"], self.notebook.cells, strict=True)
        return [Cell(name, first_words(lines, start, cell), cell) for name, start, cell in found]

    @property
    def code(self):
        return [cell for cell in self.cells if cell.cell.cell_type == "code"]

    @property
    def prose(self):
        return [cell for cell in self.cells if cell.cell.cell_type == "markdown"]


def first_words(lines, start, cell):
    """The number of the first line of a cell; the source map of jupytext has it with the empty lines before prose."""
    if cell.cell_type != "markdown":
        return start
    return next(number for number, line in enumerate(lines[start:], start=start + 1) if line.strip())
