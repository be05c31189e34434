"""Install the packages of requirements.txt into `.venv`: python3 ci/book/install.py [--frameworks]

uv looks each time whether anything is missing, which takes a fifth of a second and no network. It removes nothing, so
that what users install beside them stays. `--frameworks` also installs requirements-frameworks.txt. Imports only the
standard library.
"""

import os
import platform
import re
import shutil
import ssl
import subprocess
import sys
from pathlib import Path

LOCK, FRAMEWORKS_LOCK = "requirements.txt", "requirements-frameworks.txt"
NEEDED, NEEDED_TO_INSTALL = 500, 4000  # MiB of free disk
CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "UV_SYSTEM_CERTS", "UV_NATIVE_TLS")
UNUSABLE = set(":%?")  # in PATH, and in the address of the list of executed chapters
BUILT_FOR = {("Linux", "x86_64"), ("Linux", "aarch64"), ("Darwin", "arm64")}
NOT_BUILT = "error: array-record has no build for {} {}: use WSL on Windows, a container (.devcontainer), or Colab"
NO_VENV = f"error: {sys.executable} cannot make a virtual environment (on Debian: apt install python3-venv)"
FAILED = (
    "error: the packages of {} could not be installed; the reason is above. Behind a proxy, see README.md; "
    "if .venv is damaged, remove it"
)


def lists(root: Path) -> list[Path]:
    """Return the paths of the lists of packages that exist."""
    return [path for path in (root / FRAMEWORKS_LOCK, root / LOCK) if path.exists()]


def frameworks(root: Path) -> Path:
    """Return the folder of the packages of requirements-frameworks.txt, which only some chapters can import."""
    return root / ".venv" / "frameworks"


def frameworks_installed(root: Path) -> bool:
    """Return whether the packages of the current requirements-frameworks.txt were installed completely."""
    mark, lock = frameworks(root) / "installed.txt", root / FRAMEWORKS_LOCK
    return mark.exists() and lock.exists() and mark.read_text() == lock.read_text()


def uv_pip_install(root: Path, *words: str | Path) -> list[str | Path]:
    """Return the command that installs packages into `.venv`."""
    programs = root / ".venv" / "bin"
    return [programs / "uv", "pip", "install", "--python", programs / "python", *words]


def begun(root: Path) -> Path:
    """Return the path of a mark that exists while packages are installed, and after a killed installation."""
    return root / ".venv" / "begun"


def installed(root: Path) -> bool:
    """Return whether `.venv` has all packages of requirements.txt."""
    if not all((root / ".venv" / "bin" / name).exists() for name in ("python", "uv")) or begun(root).exists():
        return False
    command = uv_pip_install(root, "--dry-run", "--require-hashes", "--requirement", root / LOCK)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode == 0 and "Would make no changes" in done.stderr


def pip_environment() -> dict[str, str]:
    """Return the environment for pip: it uses the index and certificates of uv, unless variables for pip are set."""
    paths, chosen = ssl.get_default_verify_paths(), any(map(os.environ.get, CERTIFICATES))
    settings = {
        "PIP_INDEX_URL": os.environ.get("UV_DEFAULT_INDEX"),
        "PIP_CERT": (paths.cafile or paths.capath) if chosen else None,
    }
    return {name: value for name, value in settings.items() if value} | os.environ


def install(root: Path) -> None:
    """Install what is missing in `.venv`; create it, if it is not complete enough to do so, with uv by pip."""
    folder = root / ".venv"
    if not (folder / "bin" / "uv").exists() or not (folder / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        for packages in folder.glob("lib/python*/site-packages"):
            (packages / "book.pth").write_text("../../../..\n")  # the root of the book, with its helper module
        own = folder / "uv.txt"
        own.write_text("".join(re.findall(r"^uv==.*(?:\n .*)*", (root / LOCK).read_text(), re.MULTILINE)))
        pip = ("-m", "pip", "install", "--quiet", "--require-hashes", "--requirement", own)
        subprocess.run([folder / "bin" / "python", *pip], env=pip_environment(), check=True)
    anew = ["--reinstall"] if begun(root).exists() else []
    begun(root).touch()
    command = uv_pip_install(root, "--quiet", *anew, "--require-hashes", "--requirement", root / LOCK)
    subprocess.run(command, check=True)
    begun(root).unlink()


def install_frameworks(root: Path) -> None:
    """Install the frameworks, by default builds for CPUs. The index differs by platform, so the list has no hashes."""
    shutil.rmtree(frameworks(root), ignore_errors=True)
    if not os.environ.get("UV_FIND_LINKS"):
        os.environ.setdefault("UV_TORCH_BACKEND", "cpu")
    words = ("--quiet", "--no-deps", "--target", frameworks(root), "--requirement", root / FRAMEWORKS_LOCK)
    subprocess.run(uv_pip_install(root, *words), check=True)
    shutil.copyfile(root / FRAMEWORKS_LOCK, frameworks(root) / "installed.txt")


def unusable(root: Path) -> str | None:
    """Return why the book cannot be made on this machine or in this folder; None if it can."""
    if (system := (platform.system(), platform.machine())) not in BUILT_FOR:
        return NOT_BUILT.format(*system)
    if odd := UNUSABLE.intersection(str(root)):
        return f"error: {root}: a name with {' '.join(sorted(odd))} is read as something else: move the book elsewhere"
    return None


def main(root: Path, options: list[str]) -> str | None:
    """Install the lists of packages that are not installed; return an error message, or None on success."""
    if said := unusable(root):
        return said
    from lock import held  # needs fcntl, which Windows lacks

    steps = [] if installed(root) else [(install, LOCK)]
    if "--frameworks" in options and not frameworks_installed(root):
        steps.append((install_frameworks, FRAMEWORKS_LOCK))
    free, needed = shutil.disk_usage(root).free // 2**20, NEEDED_TO_INSTALL if steps else NEEDED
    if free < needed:
        return f"error: not enough disk space: {free} MiB free in {root}, {needed} needed"
    if not steps:
        return None
    if (root / ".venv").is_symlink() and (install, LOCK) in steps:  # other trees may use the environment
        return f"error: {root / '.venv'} is a link to an environment without the packages of {LOCK}: remove the link"
    try:
        with held(root / "_build"):
            for step, lock in steps:
                print(f"Installing the packages of {lock} into .venv", flush=True)
                step(root)
    except subprocess.CalledProcessError as error:
        return NO_VENV if "venv" in error.cmd else FAILED.format(lock)
    except KeyboardInterrupt:
        return "stopped; the next run goes on with the installation"
    except OSError as error:
        return f"error: {error}"
    return None


if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parents[2], sys.argv[1:]))
