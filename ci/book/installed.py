"""Check whether the lists of packages are installed. Imports only the standard library, since `install.py` uses it."""

import hashlib
from pathlib import Path

LOCK, FRAMEWORKS_LOCK = "requirements.txt", "requirements-frameworks.txt"


def lists(root: Path) -> list[Path]:
    """Return the paths of the lists of packages that exist."""
    return [path for path in (root / FRAMEWORKS_LOCK, root / LOCK) if path.exists()]


def frameworks(root: Path) -> Path:
    """Return the folder of the packages of requirements-frameworks.txt, which only some chapters can import."""
    return root / ".venv" / "frameworks"


def stamp(lock: Path) -> str:
    """Return the hash of a list of packages."""
    return hashlib.sha256(lock.read_bytes()).hexdigest()


def marked(folder: Path, lock: Path) -> bool:
    """Return whether the packages of a list, in its current version, were installed into a folder."""
    mark = folder / "installed"
    return mark.exists() and lock.exists() and mark.read_text().strip() == stamp(lock)
