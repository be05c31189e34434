"""Which lists of packages there are, and whether they were installed to their end.

Standard library only, since installation needs it.
"""

import hashlib

LOCK, FRAMEWORKS_LOCK = "requirements.txt", "requirements-frameworks.txt"


def lists(root):
    """Those that there are."""
    return [path for path in (root / FRAMEWORKS_LOCK, root / LOCK) if path.exists()]


def frameworks(root):
    """Where the packages of the second list are, apart from those of the first."""
    return root / ".venv" / "frameworks"


def stamp(lock):
    """Names the state of a list of packages."""
    return hashlib.sha256(lock.read_bytes()).hexdigest()


def marked(folder, lock):
    """Whether a folder was filled to its end from a list of packages as it is."""
    mark = folder / "installed"
    return mark.exists() and lock.exists() and mark.read_text().strip() == stamp(lock)
