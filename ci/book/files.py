"""How files are replaced: at once, and with a copy of what would be lost."""

import errno
import os
import re
import shutil
from contextlib import contextmanager

from ci import _
from ci.book import BookError

NO_SPACE = _("no space left on the disk: free some and run again; nothing is lost")
COPIES = 20  # of one file; older ones go


@contextmanager
def saying_full_disk():
    """Says that the disk is full, once it is.

    Raises:
      BookError: it is.
    """
    try:
        yield
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        raise BookError(NO_SPACE) from error


def write(path, text):
    """Writes a file at once, so that an interruption leaves the old one."""
    write_all({path: text.encode()})


def write_all(contents):
    """Writes files, {path: bytes}, in this order; what is there stays until all the new ones are complete."""
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


def number(copy):
    """The 3 of `one.3.md`."""
    return int(copy.suffixes[-2][1:])


def copies(book, path):
    """The copies of a file, oldest first."""
    folder = (book.built("replaced", path.relative_to(book.root))).parent
    name = re.compile(rf"{re.escape(path.stem)}\.\d+{re.escape(path.suffix)}")
    return sorted((copy for copy in folder.glob("*") if name.fullmatch(copy.name)), key=number)


def keep(book, path):
    """Copies a file that is about to be replaced to _build/replaced; returns the copy."""
    known = copies(book, path)
    if known and known[-1].read_bytes() == path.read_bytes():
        return known[-1]
    count = number(known[-1]) + 1 if known else 1
    folder = (book.built("replaced", path.relative_to(book.root))).parent
    folder.mkdir(parents=True, exist_ok=True)
    for old in known[: 1 - COPIES]:
        old.unlink()
    return shutil.copyfile(path, folder / f"{path.stem}.{count}{path.suffix}")
