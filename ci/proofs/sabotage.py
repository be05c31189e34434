"""Takes the cause of what a chapter shows away, executes it, and asks whether an output notices.

The list of a chapter stands beside it, `NAME.sabotage.yml`: for each claim which code is replaced, by what, and the
cell whose output must then be another.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import yaml
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from ci.book import BookError
from ci.execution.cache import code_cells, executed, read
from ci.outputs import compare

KEYS = {"cause", "replace", "by", "noticed_by"}
AT_A_TIME = 2


class Sabotage(NamedTuple):
    """One line of a chapter's list."""

    cause: str
    """What is taken away, in words."""
    replace: str
    """Code that stands in the chapter once."""
    by: str
    """Code to put in its place; may be empty."""
    noticed_by: str
    """Code of one cell, whose output must change."""
    error: str = ""
    """The name of the error that this cell raises then; "" if it raises none."""


def listed(book, name):
    """Reads the list of a chapter; it may be missing, and is empty then.

    Raises:
      BookError: it is not such a list.
    """
    path = book.source(name).with_suffix(".sabotage.yml")
    if not path.exists():
        return []
    shown = book.relative(path)
    try:
        entries = yaml.safe_load(path.read_text(encoding="utf-8")) or []
    except yaml.YAMLError as error:
        raise BookError(f"{shown}: {error}") from error
    found = []
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict) or not KEYS <= set(entry) <= {*KEYS, "error"}:
            raise BookError(f"{shown}: entry {number}: it has to have {', '.join(sorted(KEYS))}, and may have error")
        found.append(Sabotage(**{key: str(value or "") for key, value in entry.items()}))
    return found


def place(cells, text, what):
    """The number of the only cell that has a piece of code, counted from 0.

    Raises:
      BookError: no cell has it, or several do, or one twice.
    """
    found = [number for number, cell in enumerate(cells) for _ in range(cell.source.count(text))]
    if len(found) != 1:
        raise BookError(f"{what} stands {len(found)} times in the chapter, not once: {text!r}")
    return found[0]


def places(cells, sabotage):
    """Returns the numbers of the cell that is changed and of the one that must notice."""
    changed, noticing = place(cells, sabotage.replace, "replace"), place(cells, sabotage.noticed_by, "noticed_by")
    if changed > noticing:
        raise BookError(f"{sabotage.cause}: the cell that must notice stands before the one that is changed")
    return changed, noticing


def verdict(notebook, timeout, sabotage):
    """Executes a chapter with one cause taken away.

    Args:
      notebook: the chapter as executed, with its outputs; it is changed.

    Returns:
      "" if the cell that must notice did, or else what happened.
    """
    cells = code_cells(notebook)
    changed, noticing = places(cells, sabotage)
    stored = [cell.outputs for cell in cells]
    cells[changed].source = cells[changed].source.replace(sabotage.replace, sabotage.by)
    client = NotebookClient(
        notebook, timeout=timeout, kernel_name=notebook.metadata.kernelspec.name, coalesce_streams=True
    )
    with client.setup_kernel():
        for number, cell in enumerate(cells[: noticing + 1]):
            try:
                client.execute_cell(cell, notebook.cells.index(cell))
            except CellExecutionError as error:
                if number == noticing and error.ename == sabotage.error:
                    return ""
                return f"code cell {number + 1} raises {error.ename}: {error.evalue[:200]}"
    if sabotage.error:
        return f"code cell {noticing + 1} does not raise {sabotage.error}"
    found = compare.differences(stored[noticing], cells[noticing].outputs, compare.tolerance(cells[noticing].source))
    return "" if found else f"code cell {noticing + 1} shows the same as before"
