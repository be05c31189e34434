"""Replacing files: atomically, and with a copy of what git does not have."""

import errno
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ci import _
from ci.book import Book, BookError

FULL = _("no space left on the disk: free some and run again; nothing is lost")
READ_ONLY = _("{path} cannot be written: change its permissions, or work in a copy of this folder")
COPIES = 20  # kept of one file


@contextmanager
def disk_faults_as_errors() -> Iterator[None]:
    """Turn a full disk, a read-only one and missing permissions into errors of one line.

    Raises:
      BookError: A file could not be written for one of these reasons.
    """
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise BookError(FULL) from error
        if error.errno in (errno.EROFS, errno.EACCES):
            raise BookError(READ_ONLY, path=error.filename) from error
        raise


def write(path: Path, text: str) -> None:
    """Write a file atomically: an interruption leaves the old one."""
    write_all({path: text.encode()})


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Write files, {path: content}, in this order; no old one is replaced before all new ones are complete."""
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


def copy_number(copy: Path) -> int:
    """Return the 3 of `one.3.md`."""
    return int(copy.suffixes[-2][1:])


def copies(book: Book, path: Path) -> list[Path]:
    """Return the kept copies of a file, oldest first."""
    folder = book.built("replaced", path.relative_to(book.root)).parent
    name = re.compile(rf"{re.escape(path.stem)}\.\d+{re.escape(path.suffix)}")
    return sorted((copy for copy in folder.glob("*") if name.fullmatch(copy.name)), key=copy_number)


def keep(book: Book, path: Path) -> Path:
    """Copy a file that is about to be replaced to `_build/replaced`; return the copy."""
    known = copies(book, path)
    if known and known[-1].read_bytes() == path.read_bytes():
        return known[-1]
    count = copy_number(known[-1]) + 1 if known else 1
    folder = book.built("replaced", path.relative_to(book.root)).parent
    folder.mkdir(parents=True, exist_ok=True)
    for old in known[: 1 - COPIES]:
        old.unlink()
    return shutil.copyfile(path, folder / f"{path.stem}.{count}{path.suffix}")
