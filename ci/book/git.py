"""What git knows of the files of the book."""

import subprocess

LOOKED_AT = 50  # commits that changed a pair, in search of one in which the two agree


def git(book, *arguments):
    """What git prints, or None where it has nothing to say."""
    try:
        done = subprocess.run(["git", *arguments], cwd=book.root, capture_output=True, encoding="utf-8")
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None


def committed(book, path, commit="HEAD"):
    """The text of a file in a commit, or None."""
    return git(book, "show", f"{commit}:./{book.relative(path)}")


def commits(book, *paths):
    """Those that changed one of some files, newest first."""
    return (git(book, "log", f"-{LOOKED_AT}", "--format=%H", "--", *map(str, paths)) or "").split()
