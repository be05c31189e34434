"""What a chapter and a notebook say, in a form that can be compared, and how the one is written into the other."""

import hashlib
import json
import re
import subprocess
import tempfile
from pathlib import Path

import jupytext
import nbformat
import yaml
from nbformat import v4

from ci.book import HEADER, BookError
from ci.notebooks import cells as naming

PAIRED = ("mystnb", "tags")  # what a chapter keeps of a cell's metadata
BLANK_LINES = re.compile(r"\A(?:[ \t]*\n)+")


def split(text):
    """Returns the header of a chapter and the rest."""
    header = HEADER.match(text)
    return (text[: header.end()], text[header.end() :]) if header else ("", text)


def read(text):
    """Reads a chapter; what other tools have put into its header becomes no cell."""
    header, body = split(text)
    notebook = jupytext.reads("\n" + body, fmt="md:myst")
    notebook.metadata = nbformat.from_dict(yaml.safe_load("\n".join(header.splitlines()[1:-1])) or {})
    return notebook


def lexer(body):
    """What an author has put after `{code-cell}`, such as "ipython3"."""
    found = re.search(r"^`{3,}\{code-cell\} +(\S+)", body, re.MULTILINE)
    return found and found[1]


def metadata(cell):
    """What is paired of a cell's metadata, in an order that does not depend on who wrote it."""
    kept = {key: cell.metadata[key] for key in PAIRED if cell.metadata.get(key)}
    return json.loads(json.dumps(kept, sort_keys=True))


def said(cell):
    """What is paired of a cell: kind, source, metadata."""
    return cell.cell_type, BLANK_LINES.sub("", cell.source).rstrip(), metadata(cell)


def numbered(notebook):
    """What the cells say by their numbers from 1; without those that are empty, as Jupyter likes to add one."""
    every = {number: said(cell) for number, cell in enumerate(notebook.cells, start=1)}
    return {number: cell for number, cell in every.items() if cell[1] or (cell[0] == "code" and cell[2])}


def content(notebook):
    """All that a chapter and its notebook must have in common."""
    return list(numbered(notebook).values())


def digest(notebook):
    return hashlib.sha256(json.dumps(content(notebook), sort_keys=True).encode()).hexdigest()


def written(cells, lexer=None):
    """Writes what cells say as the text of a chapter, without a header."""
    makers = {"code": v4.new_code_cell, "markdown": v4.new_markdown_cell, "raw": v4.new_raw_cell}
    notebook = v4.new_notebook(cells=[makers[kind](source, metadata=kept) for kind, source, kept in cells])
    notebook.metadata["kernelspec"] = {"name": "python3"}  # that there is a header, to be cut off
    if lexer:
        notebook.metadata["jupytext"] = {"default_lexer": lexer}
    return split(jupytext.writes(notebook, fmt="md:myst"))[1]


def refuse_what_no_chapter_holds(notebook, where):
    """Raises a `BookError` for a cell that could be written into a chapter, but not be read again."""

    def name(number):
        return naming.names(notebook)[number - 1]

    for number, cell in enumerate(notebook.cells, start=1):
        if cell.get("attachments") and "attachment:" in cell.source:
            raise BookError(
                f"{where}, {name(number)}: a chapter cannot hold the picture pasted into the text "
                f"({', '.join(cell.attachments)}): draw it in a code cell, take `attachment:` out of the text, "
                "and run again"
            )
    cells = numbered(notebook)
    if not cells:
        raise BookError(f"{where} is empty: remove the file, and the next run makes it again from its chapter")
    again = content(read(written(cells.values()))) + [None] * len(cells)
    for (number, cell), other in zip(cells.items(), again, strict=False):
        if cell != other:
            raise BookError(
                f"{where}, {name(number)}: a chapter cannot hold this cell as it is: close each ``` of its text, and "
                "begin no line with +++ or ```{code-cell}; then run again"
            )


def merged(ours, base, theirs):
    """Puts what changed from `base` to `theirs` into `ours`; where both changed the same lines, takes `theirs`."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("ours", "base", "theirs")]
        for path, text in zip(paths, (ours, base, theirs), strict=True):
            path.write_text(text, encoding="utf-8")
        command = ["git", "merge-file", "-p", "--theirs", *map(str, paths)]
        try:
            return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
        except FileNotFoundError:  # no git on this machine
            return theirs


def with_edits(text, notebook):
    """Returns the text of a chapter with the cells of a notebook; all else stays as its author wrote it."""
    end = "\r\n" if "\r\n" in text else "\n"
    header, body = split(text.replace("\r\n", "\n"))
    base, theirs = (written(content(either), lexer(body)) for either in (read(header + body), notebook))
    result = merged(body, base, theirs)
    if content(read(header + result)) != content(notebook):
        result = theirs
    return (header + result).replace("\n", end)
