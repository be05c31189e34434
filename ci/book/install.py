"""Install the packages of requirements.txt into `.venv`: python3 ci/book/install.py [--look | --frameworks]

`--look` installs nothing and fails if something is missing. `--frameworks` also installs requirements-frameworks.txt.
"""

import os
import platform
import re
import shutil
import ssl
import subprocess
import sys
import tomllib
from pathlib import Path

from installed import FRAMEWORKS_LOCK, LOCK, frameworks, marked, stamp

NEEDED, NEEDED_TO_INSTALL = 500, 4000  # MiB of free disk
CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "UV_SYSTEM_CERTS", "UV_NATIVE_TLS")
BUILT_FOR = {("Linux", "x86_64"), ("Linux", "aarch64"), ("Darwin", "arm64")}
NOT_BUILT = "error: array-record has no build for {} {}: use WSL on Windows, a container (.devcontainer), or Colab"
NO_VENV = f"error: {sys.executable} cannot make a virtual environment (on Debian: apt install python3-venv)"
FAILED = "error: the packages of {} could not be installed; the reason is above. Behind a proxy, see README.md"


def pip_environment() -> dict[str, str]:
    """Return the environment for pip: it uses the index and certificates of uv, unless variables for pip are set."""
    paths, chosen = ssl.get_default_verify_paths(), any(map(os.environ.get, CERTIFICATES))
    settings = {
        "PIP_INDEX_URL": os.environ.get("UV_DEFAULT_INDEX"),
        "PIP_CERT": (paths.cafile or paths.capath) if chosen else None,
    }
    return {name: value for name, value in settings.items() if value} | os.environ


def uv_pip(python: Path, command: str, *words: str | Path) -> None:
    """Run a command of `uv pip` on the virtual environment of a Python executable."""
    subprocess.run([python.with_name("uv"), "pip", command, "--quiet", "--python", python, *words], check=True)


def install(root: Path, python: Path) -> None:
    """Create `.venv` from scratch: install the uv that requirements.txt pins with pip, everything else with uv."""
    own = root / ".venv" / "uv.txt"
    subprocess.run([sys.executable, "-m", "venv", "--clear", root / ".venv"], check=True)
    own.write_text("".join(re.findall(r"^uv==.*(?:\n .*)*", (root / LOCK).read_text(), re.MULTILINE)))
    pip = [str(python), "-m", "pip", "install", "--quiet", "--require-hashes", "--requirement", str(own)]
    subprocess.run(pip, env=pip_environment(), check=True)
    uv_pip(python, "sync", "--require-hashes", root / LOCK)
    project = root / "pyproject.toml"
    if project.exists() and "project" in tomllib.loads(project.read_text(encoding="utf-8")):
        uv_pip(python, "install", "--no-deps", "--no-build-isolation", "--editable", root)


def install_frameworks(root: Path, python: Path) -> None:
    """Install the frameworks, by default builds for CPUs. The index differs by platform, so the list has no hashes."""
    shutil.rmtree(frameworks(root), ignore_errors=True)
    if not os.environ.get("UV_FIND_LINKS"):
        os.environ.setdefault("UV_TORCH_BACKEND", "cpu")
    uv_pip(python, "install", "--no-deps", "--target", frameworks(root), "--requirement", root / FRAMEWORKS_LOCK)


def main(root: Path, options: list[str]) -> str | None:
    """Install the lists of packages that are not installed; return an error message, or None on success."""
    if (system := (platform.system(), platform.machine())) not in BUILT_FOR:
        return NOT_BUILT.format(*system)
    from lock import held  # needs fcntl, which Windows lacks

    python = root / ".venv" / "bin" / "python"
    steps = [(install, root / ".venv", LOCK), (install_frameworks, frameworks(root), FRAMEWORKS_LOCK)]
    steps = steps if "--frameworks" in options else steps[:1]
    whole = python.exists() and all(marked(folder, root / lock) for _step, folder, lock in steps)
    free, needed = shutil.disk_usage(root).free // 2**20, NEEDED if whole else NEEDED_TO_INSTALL
    if free < needed:
        return f"error: not enough disk space: {free} MiB free in {root}, {needed} needed"
    if whole or "--look" in options:
        return None if whole else "not installed"
    if (root / ".venv").is_symlink():  # other trees may use the environment, and an installation begins by clearing it
        return f"error: {root / '.venv'} is a link to an environment without the packages of {LOCK}: remove the link"
    try:
        with held(root / "_build"):
            for step, folder, lock in steps:
                if not (python.exists() and marked(folder, root / lock)):  # another command may have installed it
                    print(f"Installing the packages of {lock} into {folder}", flush=True)
                    step(root, python)
                    (folder / "installed").write_text(stamp(root / lock))
    except subprocess.CalledProcessError as error:
        return NO_VENV if "venv" in error.cmd else FAILED.format(lock)
    except KeyboardInterrupt:
        return "stopped; the next run starts the installation again"
    except OSError as error:
        return f"error: {error}"
    return None


if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parents[2], sys.argv[1:]))
