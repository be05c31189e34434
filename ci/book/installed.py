"""The lists of packages, and whether they are installed; only the standard library is imported, for `install.py`."""

import hashlib
from pathlib import Path

LOCK, FRAMEWORKS_LOCK = "requirements.txt", "requirements-frameworks.txt"


def lists(root: Path) -> list[Path]:
    """Return the lists of packages that exist."""
    return [path for path in (root / FRAMEWORKS_LOCK, root / LOCK) if path.exists()]


def frameworks(root: Path) -> Path:
    """Return the folder of the packages of the second list, which only some chapters see."""
    return root / ".venv" / "frameworks"


def stamp(lock: Path) -> str:
    """Return the hash of a list of packages."""
    return hashlib.sha256(lock.read_bytes()).hexdigest()


def marked(folder: Path, lock: Path) -> bool:
    """Return whether a folder has all packages of a list as it is now."""
    mark = folder / "installed"
    return mark.exists() and lock.exists() and mark.read_text().strip() == stamp(lock)
