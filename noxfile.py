"""Checks that need other packages, another program or a long time: `nox --list`, `nox -s NAME`.

Arguments after `--` choose notebooks, or what the docstring of a session says.
"""

import json
import os
import shutil
import sys
from pathlib import Path

import nox

nox.options.default_venv_backend = "uv"
nox.options.envdir = "_build/nox"
nox.options.sessions = []
nox.needs_version = ">=2024.3"

ROOT = Path(__file__).parent
PYTHON = str(ROOT / ".venv" / "bin" / "python")  # the environment of the book
VARIABLES = {"PYTHONPATH": str(ROOT), "JUPYTER_PREFER_ENV_PATH": "1"}
PYTEST = ("-m", "pytest", "-q", "-n", "auto")
NOTEBOOKS = (*PYTEST, "--dist", "loadscope", "-p", "no:cacheprovider", "--nbval")
ALL = ("notebooks/en",)
LINUX = ("notebooks/en/scale/multi_host.ipynb", "notebooks/en/scale/multi_host_hangs.ipynb")  # need gloo
LIGHTHOUSE = "@lhci/cli@0.15.1"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def arguments(session: nox.Session, default: tuple[str, ...] = ALL) -> tuple[str, ...]:
    """Return the words after `--`, or else the default."""
    return tuple(session.posargs) or default


@nox.session(python=["3.11", "3.12", "3.13"])
def python(session: nox.Session) -> None:
    """Run the unit tests and the notebooks with another Python."""
    session.install("-r", "requirements.txt")
    unit = ("--dist", "worksteal", "--ignore=tests/pages", "tests")
    linux = () if sys.platform == "linux" else tuple(f"--ignore={notebook}" for notebook in LINUX)
    if not session.posargs:
        session.run("python", *PYTEST, *unit, env=VARIABLES)
    session.run("python", *NOTEBOOKS, *linux, *arguments(session), env=VARIABLES)


@nox.session(python="3.13")
def colab(session: nox.Session) -> None:
    """Run the notebooks with the packages of Colab's image."""
    session.install("-r", "ci/checks/colab-2026-08.txt")
    session.install("--no-deps", "-e", ".")
    folder = session.virtualenv.location
    session.run("python", "-m", "ipykernel", "install", "--prefix", folder, "--name", "colab", silent=True)
    kernel = {"JUPYTER_PATH": f"{folder}/share/jupyter", "PYTHONPATH": None}
    options = ("-p", "ci.checks.colab", "--nbval-kernel-name", "colab")
    session.run(PYTHON, *NOTEBOOKS, *options, *arguments(session), env=kernel, external=True)


@nox.session(venv_backend="none")
def repeat(session: nox.Session) -> None:
    """Run the notebooks ten times, to find outputs that differ from run to run."""
    for _number in range(10):
        session.run(PYTHON, *NOTEBOOKS, *arguments(session), env=VARIABLES)


@nox.session(venv_backend="none")
def slow(session: nox.Session) -> None:
    """Run the tests that take long, or those that are named."""
    session.run(PYTHON, "-m", "pytest", "-m", "slow", "-rs", *arguments(session, ("tests",)), env=VARIABLES)


@nox.session(venv_backend="none")
def lighthouse(session: nox.Session) -> None:
    """Measure all built pages with Lighthouse as on a phone, or those that are named, such as en/index.html."""
    built, browser = ROOT / "_build" / "html", next(filter(None, map(shutil.which, BROWSERS)), None)
    if not (browser and shutil.which("npm")):
        session.error("Lighthouse needs Chromium and npm (Debian: apt install chromium npm)")
    pages = [*built.glob("*/book/**/*.html"), *built.glob("*/search.html")]
    names = arguments(session, tuple(sorted(page.relative_to(built).as_posix() for page in pages)))
    folder = ROOT / "_build" / "lighthouse"
    session.run("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), LIGHTHOUSE)
    addresses = [f"--collect.url=http://localhost/{name}" for name in names]
    with session.chdir(folder):  # it writes into the current folder
        program = ("node_modules/.bin/lhci", "autorun", f"--config={ROOT / 'ci' / 'site' / 'lighthouse.json'}")
        session.run(*program, *addresses, env={"CHROME_PATH": browser})
    for run in json.loads((folder / "reports" / "manifest.json").read_text(encoding="utf-8")):
        session.log(f"{run['url']}: {run['summary']}")


@nox.session(venv_backend="none")
def bench(session: nox.Session) -> None:
    """Measure what authors wait for, and write it into book/bench.json."""
    session.run(PYTHON, "-m", "ci.checks.bench", *session.posargs, env={**VARIABLES, "PATH": venv_path()})


@nox.session(venv_backend="none")
def coverage(session: nox.Session) -> None:
    """Run the unit tests and show which lines of ci/ and flaxbook/ none of them executes."""
    report = "--cov-report=html:_build/reports/coverage"
    words = ("-q", "-n", "auto", "--ignore=tests/pages", "--cov", "--cov-report=term:skip-covered", report)
    session.run(PYTHON, "-m", "pytest", *words, "tests", env=VARIABLES)


@nox.session(venv_backend="none")
def inventories(session: nox.Session) -> None:
    """Fetch anew which names the documentation of each library has."""
    session.run(PYTHON, "-m", "ci.site.documentation.renew", env=VARIABLES)


def venv_path() -> str:
    """Return a PATH with the programs of the environment of the book."""
    return f"{Path(PYTHON).parent}{os.pathsep}{os.environ['PATH']}"
