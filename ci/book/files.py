"""How files are replaced: at once, and with a copy of what would be lost."""

import os
import shutil

COPIES = 20  # of one file; older ones go


def write(path, text):
    """Writes a file at once, so that an interruption leaves the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(text, encoding="utf-8", newline="")
    os.replace(new, path)


def number(copy):
    """The 3 of `one.3.md`."""
    return int(copy.suffixes[-2][1:])


def copies(book, path):
    """The copies of a file, oldest first."""
    folder = (book.built("replaced", path.relative_to(book.root))).parent
    return sorted(folder.glob(f"{path.stem}.*[0-9]{path.suffix}"), key=number)


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
