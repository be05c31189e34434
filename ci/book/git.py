"""What git knows of the files of the book."""

import subprocess
from pathlib import Path

from ci.book import Book


def git(book: Book, *arguments: str) -> str | None:
    """Return what git prints, or None if it fails or is not installed."""
    try:
        done = subprocess.run(["git", *arguments], cwd=book.root, capture_output=True, encoding="utf-8", check=False)
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None


def committed(book: Book, path: Path, commit: str = "HEAD") -> str | None:
    """Return the text of a file in a commit, or None if the commit does not have it."""
    return git(book, "show", f"{commit}:./{book.relative(path)}")
