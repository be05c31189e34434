"""Replace files atomically, and keep copies of files that are about to be replaced."""

import itertools
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from ci.book import Book


def write(path: Path, text: str) -> None:
    """Write a file atomically: if the process is interrupted, the old file is unchanged."""
    write_all({path: text.encode()})


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Write files, {path: content}, in this order; no file is replaced before all new contents are written."""
    new = {path: path.with_name(f"{path.name}.new") for path in contents}
    try:
        for path, content in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            new[path].write_bytes(content)
        for path in contents:
            os.replace(new[path], path)
    finally:
        for path in new.values():
            path.unlink(missing_ok=True)


def keep(book: Book, path: Path) -> Path:
    """Copy a file that is about to be replaced to `_build/replaced`, as `one.1.md` and so on; return its new path."""
    place = book.built("replaced", path.relative_to(book.root))
    copies = (place.with_stem(f"{place.stem}.{number}") for number in itertools.count(1))
    copy = next(copy for copy in copies if not copy.exists() or copy.read_bytes() == path.read_bytes())
    copy.parent.mkdir(parents=True, exist_ok=True)
    return shutil.copyfile(path, copy)
