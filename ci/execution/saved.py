"""Read notebooks as editors save them, also where one leaves out what the format demands.

What is JSON with cells is repaired. What cannot be repaired is refused with the reason, so that no edit is replaced.
"""

import json
import re
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode, v4
from nbformat.reader import reads as read_old
from nbformat.v4.rwbase import rejoin_lines
from nbformat.validator import normalize

from ci import _
from ci.book import Book, BookError

PAIRED = ("mystnb", "tags", "tolerance")  # cell metadata stored in both files, as in the settings of jupytext
OUTPUT = ("output_type", "name", "text", "data", "metadata", "execution_count", "ename", "evalue", "traceback")
LINE_ENDS = re.compile(r"\r\n?")
CONFLICT = re.compile(rb"^(?:<{7}|>{7}) ", re.MULTILINE)
ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
MAKERS = {"code": v4.new_code_cell, "markdown": v4.new_markdown_cell, "raw": v4.new_raw_cell}
UNREADABLE = _(
    "{file} cannot be read: {reason}: repair it, or run ./ci/book.sh refresh --take {chapter}, which makes it again "
    "and keeps a copy"
)


def given(part: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    """Return what a part of a notebook says under some keys, without what is null."""
    return {key: part[key] for key in keys if part.get(key) is not None}


def cell(saved: dict[str, Any]) -> NotebookNode:
    """Return a cell with all that the format demands, and of its metadata what a chapter has, too."""
    about, more = given(saved.get("metadata") or {}, PAIRED), given(saved, ("attachments",))
    if tags := about.pop("tags", None):
        words = ",".join(map(str, [tags] if isinstance(tags, str) else tags)).split(",")
        about["tags"] = list(dict.fromkeys(word.strip() for word in words))
    if saved["cell_type"] == "code":
        count = saved.get("execution_count")
        more["execution_count"] = count if isinstance(count, int) and count >= 0 else None
        more["outputs"] = [v4.new_output(**given(each, OUTPUT)) for each in saved.get("outputs") or []]
    lines = saved["source"] or ""
    source = LINE_ENDS.sub("\n", "".join(lines) if isinstance(lines, list) else lines)
    json.dumps([source, more], ensure_ascii=False).encode()  # raises UnicodeEncodeError for half a character
    return MAKERS[saved["cell_type"]](source, metadata=about, **more)


def cells(saved: list[Any]) -> list[NotebookNode]:
    """Return the cells of a notebook with all that the format demands; raise BookError for what is no cell."""
    found: dict[str, NotebookNode] = {}
    for number, each in enumerate(saved, start=1):
        kind = each.get("cell_type") if isinstance(each, dict) else each
        if str(kind) not in MAKERS:
            raise BookError(f"cell {number} has the type {kind!r:.40}, and a chapter holds code, markdown and raw")
        try:
            one = cell(each)
        except Exception as error:  # nbformat raises many kinds
            reason = " ".join(f"{type(error).__name__}: {getattr(error, 'message', error)}".split())
            raise BookError(f"cell {number} is not as Jupyter writes cells ({reason:.80})") from error
        if ID.fullmatch(id := str(each.get("id"))) and each.get("id") and id not in found:
            one.id = id
        found[one.id] = one
    return list(found.values())


def parse(content: bytes) -> NotebookNode:
    """Parse a notebook of any version of the format, in any encoding that JSON can have, and repair it.

    Raises:
      BookError: It cannot be repaired; the message is the reason.
    """
    try:
        data = json.loads(content)
        if "cells" not in data and "worksheets" in data:  # nbformat 2 and 3
            data = nbformat.convert(read_old(json.dumps({"nbformat": 3} | data)), 4)
        saved = data["cells"]
    except UnicodeDecodeError as error:
        raise BookError("it is not UTF-8") from error
    except Exception as error:  # nbformat raises any on old notebooks
        reason = f"it is no JSON with cells ({' '.join(str(error).split()):.80})"
        raise BookError("git could not merge two versions" if CONFLICT.search(content) else reason) from error
    if not isinstance(saved, list):
        raise BookError("its cells are no list")
    about = {"nbformat": 4, "nbformat_minor": nbformat.current_nbformat_minor, "metadata": data.get("metadata")}
    if not isinstance(about["metadata"], dict):
        about["metadata"] = {}
    notebook = nbformat.from_dict(about | {"cells": cells(saved)})
    return rejoin_lines(normalize(notebook, strip_invalid_metadata=True)[1])


def load(book: Book, path: Path) -> NotebookNode | None:
    """Read a notebook of the book; return None if there is none, or the file is empty.

    Raises:
      BookError: It cannot be read or repaired.
    """
    content = path.read_bytes() if path.exists() else b""
    try:
        return parse(content) if content.strip() else None
    except BookError as error:
        chapter = Path("book", *path.relative_to(book.root / "notebooks").parts[1:]).with_suffix(".md").as_posix()
        raise BookError(UNREADABLE, file=book.relative(path), reason=error, chapter=chapter) from error
