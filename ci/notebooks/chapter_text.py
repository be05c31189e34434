"""Read chapters and notebooks in a form that can be compared, and write the cells of one into the other."""

import hashlib
import json
import re

import jupytext
import nbformat
import yaml
from jupytext.combine import combine_inputs_with_outputs
from nbformat import NotebookNode, v4
from nbformat.validator import normalize

from ci.book import HEADER, BookError
from ci.execution.cache import code_cells
from ci.execution.saved import LINE_ENDS, PAIRED
from ci.notebooks import cells as naming

BLANK_LINES = re.compile(r"\A(?:[ \t]*\n)+")
# Jupyter writes these into each chapter that it saves, whatever jupytext's settings are.
LEXER = re.compile(r"^(`{3,}\{code-cell\}) ipython3$", re.MULTILINE)
KERNEL = re.compile(r"^( +display_name: Python 3) \(ipykernel\)$", re.MULTILINE)

Content = tuple[str, str, dict]  # type, source and paired metadata of a cell


def split(text: str) -> tuple[str, str]:
    """Split the text of a chapter into its header and the rest."""
    header = HEADER.match(text)
    return (text[: header.end()], text[header.end() :]) if header else ("", text)


def read(text: str) -> NotebookNode:
    """Parse the text of a chapter as a notebook without outputs; its whole header becomes metadata of the notebook."""
    header, body = split(LINE_ENDS.sub("\n", text))
    notebook = jupytext.reads("\n" + body, fmt="md:myst")
    notebook.metadata = nbformat.from_dict(yaml.safe_load("\n".join(header.splitlines()[1:-1])) or {})
    return notebook


def metadata(cell: NotebookNode) -> dict:
    """Return the paired metadata of a cell, sorted by key."""
    kept = {key: cell.metadata[key] for key in PAIRED if cell.metadata.get(key)}
    return json.loads(json.dumps(kept, sort_keys=True))


def numbered(notebook: NotebookNode) -> dict[int, Content]:
    """Return {number of a cell, from 1: its content}, without empty cells, which Jupyter adds."""
    every = {
        number: (cell.cell_type, BLANK_LINES.sub("", cell.source).rstrip(), metadata(cell))
        for number, cell in enumerate(notebook.cells, start=1)
    }
    return {number: cell for number, cell in every.items() if cell[1] or (cell[0] == "code" and cell[2])}


def content(notebook: NotebookNode) -> list[Content]:
    """Return the paired content, in which a chapter and its notebook must agree."""
    return list(numbered(notebook).values())


def digest(notebook: NotebookNode) -> str:
    """Return a hash of the paired content: type, source and paired metadata of each cell."""
    return hashlib.sha256(json.dumps(content(notebook), sort_keys=True).encode()).hexdigest()


def written(cells: list[Content]) -> str:
    """Return cells as the text of a chapter, without a header."""
    makers = {"code": v4.new_code_cell, "markdown": v4.new_markdown_cell, "raw": v4.new_raw_cell}
    notebook = v4.new_notebook(cells=[makers[kind](source, metadata=kept) for kind, source, kept in cells])
    notebook.metadata["kernelspec"] = {"name": "python3"}  # without one, jupytext writes no header to split off
    return split(jupytext.writes(notebook, fmt="md:myst"))[1]


def refuse_what_no_chapter_holds(notebook: NotebookNode, where: str) -> None:
    """Raise BookError if a cell of a notebook would be lost or changed when it is written into a chapter."""
    names = naming.names(notebook)
    for name, cell in zip(names, notebook.cells, strict=True):
        if cell.get("attachments") and "attachment:" in cell.source:
            what = f"a chapter cannot hold the picture pasted into the text ({', '.join(cell.attachments)})"
            repair = "draw it in a code cell, take `attachment:` out of the text, and run again"
            raise BookError(f"{where}, {name}: {what}: {repair}")
    cells = numbered(notebook)
    if not cells:
        raise BookError(f"{where} is empty: remove the file, and the next run makes it again from its chapter")
    again = content(read(written(list(cells.values())))) + [None] * len(cells)
    for (number, cell), other in zip(cells.items(), again, strict=False):
        if cell != other:
            raise BookError(
                f"{where}, {names[number - 1]}: a chapter cannot hold this cell as it is: close each ``` of its text, "
                "and begin no line with +++ or ```{code-cell}; then run again"
            )


def with_cells(text: str, notebook: NotebookNode) -> str:
    """Return the text of a chapter, with its cells replaced by those of a notebook; header and line ends are kept."""
    end = "\r\n" if "\r\n" in text else "\n"
    header, _body = split(LINE_ENDS.sub("\n", text))
    return (header + written(content(notebook))).replace("\n", end)


def without_marks_of_jupyter(text: str) -> str:
    """Return the text of a chapter without the names of kernel and lexer that Jupyter adds when it saves a chapter."""
    header, body = split(text)
    tidied = KERNEL.sub(r"\1", header) + LEXER.sub(r"\1", body)
    return tidied if tidied != text and content(read(tidied)) == content(read(text)) else text


def with_outputs(chapter: NotebookNode, notebook: NotebookNode) -> str:
    """Return the notebook as text, with its cells replaced by those of the chapter.

    A code cell keeps its stored outputs only if its code is unchanged.
    """
    known = {cell.source for cell in code_cells(notebook)}
    combined = combine_inputs_with_outputs(chapter, notebook)
    for cell in code_cells(combined):
        if cell.source not in known:  # jupytext takes the outputs of the most similar code
            cell.outputs, cell.execution_count = [], None
    combined.nbformat_minor = v4.nbformat_minor
    return nbformat.writes(normalize(combined)[1], version=4) + "\n"
