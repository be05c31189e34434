"""The checks of `./ci/test.sh`, and those that need other packages, another program or a long time: `nox -s NAME`.

Arguments after `--` choose tests or notebooks, or what the docstring of a session says.
"""

import json
import shutil
import sys
import tomllib
from pathlib import Path
from urllib.request import urlopen

import nox

nox.options.default_venv_backend = "uv"
nox.options.envdir = "_build/nox"
nox.options.sessions = []
nox.needs_version = ">=2024.3"

ROOT = Path(__file__).parent
PYTHON = str(ROOT / ".venv" / "bin" / "python")  # the environment of the book
VARIABLES = {"PYTHONPATH": str(ROOT), "JUPYTER_PREFER_ENV_PATH": "1"}
PYTEST = ("-m", "pytest", "-q", "-n", "auto")
COMPARE = ("-m", "pytest", "-q", "-p", "ci.execution.nbval", "--nbval", "--executed")  # with what the build executed
NOTEBOOKS = (*PYTEST, "--dist", "loadscope", "-p", "no:cacheprovider", "--nbval")
ALL = ("notebooks/en",)
LINUX = ("notebooks/en/scale/multi_host.ipynb", "notebooks/en/scale/multi_host_hangs.ipynb")  # need gloo
READERS = ROOT / "book" / "environments.toml"  # another book has none
ENVIRONMENTS = tomllib.loads(READERS.read_text(encoding="utf-8")) if READERS.exists() else {}
LIGHTHOUSE = "@lhci/cli@0.15.1"
LINKINATOR = "linkinator@6.1.4"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def arguments(session: nox.Session, default: tuple[str, ...] = ALL) -> tuple[str, ...]:
    """Return the words after `--`, or else the default."""
    return tuple(session.posargs) or default


def run(session: nox.Session, *words: str) -> None:
    """Run Python in the environment of the book; on Ctrl-C, wait until what it has started has ended."""
    session.run(PYTHON, *words, env=VARIABLES, interrupt_timeout=10)


def tested(session: nox.Session, *words: str) -> None:
    """Run pytest, and write its report for `./ci/test.sh`."""
    run(session, *words, f"--junitxml={ROOT}/_build/reports/{session.name}.xml")


def need(session: nox.Session, name: str) -> None:
    """Skip a check of which another book has no settings, such as those of "ruff", or no tests."""
    project = ROOT / "pyproject.toml"
    tools = tomllib.loads(project.read_text(encoding="utf-8")).get("tool", {}) if project.exists() else {}
    if name not in tools and not (ROOT / name).exists():
        session.skip(f"this book has no {name}")


@nox.session(venv_backend="none")
def lint(session: nox.Session) -> None:
    """Find mistakes in the code of the machinery."""
    need(session, "ruff")
    run(session, "-m", "ruff", "check", ".")


@nox.session(venv_backend="none")
def format(session: nox.Session) -> None:
    """Check how code is formatted."""
    need(session, "ruff")
    run(session, "-m", "ruff", "format", "--check", ".")


@nox.session(venv_backend="none")
def types(session: nox.Session) -> None:
    """Check types."""
    need(session, "mypy")
    run(session, "-m", "mypy")


@nox.session(venv_backend="none")
def unit(session: nox.Session) -> None:
    """Run the tests of the machinery and of the chapters as they stand."""
    need(session, "tests")
    tested(session, *PYTEST, "--dist", "worksteal", "--ignore=tests/pages", *arguments(session, ("tests",)))


@nox.session(venv_backend="none")
def book(session: nox.Session) -> None:
    """Execute every cell that has changed, and build the book."""
    run(session, "-m", "ci", "build", "--keep-going")


@nox.session(venv_backend="none")
def notebooks(session: nox.Session) -> None:
    """Compare the stored outputs with those of the build."""
    source = ("-c", "from ci.book import here; print('notebooks/' + here().source_language)")
    folder = session.run(PYTHON, *source, env=VARIABLES, silent=True, log=False)
    tested(session, *COMPARE, *arguments(session, (str(folder).split()[-1],)))  # before it stand warnings


@nox.session(venv_backend="none")
def catalogues(session: nox.Session) -> None:
    """Check the translations."""
    run(session, "-m", "ci", "check", *session.posargs)


@nox.session(venv_backend="none")
def refresh(session: nox.Session) -> None:
    """Check that chapters, notebooks and their translations agree."""
    run(session, "-m", "ci", "refresh", "--check")


@nox.session(venv_backend="none")
def pages(session: nox.Session) -> None:
    """Open the pages of the built book."""
    need(session, "tests/pages")
    tested(session, *PYTEST, *arguments(session, ("tests/pages",)))


@nox.session(venv_backend="none")
def frameworks(session: nox.Session) -> None:
    """Install PyTorch and TensorFlow, for the chapters that compare with them."""
    run(session, "ci/book/install.py", "--frameworks")


@nox.session(venv_backend="none")
def freeze(session: nox.Session) -> None:
    """Freeze the tagged book as a release, such as 1.0, in _build/releases; with --check, say whether that can be."""
    run(session, "-m", "ci.site.build", *session.posargs)


@nox.session(python=["3.11", "3.12", "3.13"])
def python(session: nox.Session) -> None:
    """Run the unit tests and the notebooks with another Python."""
    session.install("-r", "requirements.txt")
    unit = ("--dist", "worksteal", "--ignore=tests/pages", "tests")
    linux = () if sys.platform == "linux" else tuple(f"--ignore={notebook}" for notebook in LINUX)
    if not session.posargs:
        session.run("python", *PYTEST, *unit, env=VARIABLES)
    session.run("python", *NOTEBOOKS, *linux, *arguments(session), env=VARIABLES)


@nox.session
@nox.parametrize("python,name", [nox.param(row["python"], name, id=name) for name, row in ENVIRONMENTS.items()])
def readers(session: nox.Session, name: str) -> None:
    """Run the notebooks as readers do in an environment of book/environments.toml."""
    session.install("pip", "ipykernel", *ENVIRONMENTS[name]["packages"])
    session.run("python", "-m", "pip", "list", "--disable-pip-version-check")
    python = f"{session.virtualenv.bin}/python"
    session.run(PYTHON, "benchmarks/readers.py", name, python, *session.posargs, env=VARIABLES, external=True)


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
    """Measure all built pages with Lighthouse as on a phone, or those that are named, such as en/index.html.

    Words that begin with -- go to Lighthouse CI. Its slowdown of 4 makes a fast computer, with a `benchmarkIndex` of
    1500 to 2000 in the reports, about as slow as a mid-range phone. From 1000 to 1500, give
    --collect.settings.throttling.cpuSlowdownMultiplier=2:
    https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md#calibrating-the-cpu-slowdown
    """
    built, browser = ROOT / "_build" / "html", next(filter(None, map(shutil.which, BROWSERS)), None)
    if not (browser and shutil.which("npm")):
        session.error("Lighthouse needs Chromium and npm (Debian: apt install chromium npm)")
    pages = [*built.glob("*/book/**/*.html"), *built.glob("*/search.html")]
    flags = [word for word in session.posargs if word.startswith("--")]
    names = [word for word in session.posargs if word not in flags]
    names = names or sorted(page.relative_to(built).as_posix() for page in pages)
    folder = ROOT / "_build" / "lighthouse"
    session.run("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), LIGHTHOUSE)
    addresses = [f"--collect.url=http://localhost/{name}" for name in names]
    with session.chdir(folder):  # it writes into the current folder
        program = ("node_modules/.bin/lhci", "autorun", f"--config={ROOT / 'ci' / 'site' / 'lighthouse.json'}")
        session.run(*program, *addresses, *flags, env={"CHROME_PATH": browser})
    for run in json.loads((folder / "reports" / "manifest.json").read_text(encoding="utf-8")):
        session.log(f"{run['url']}: {run['summary']}")


@nox.session(venv_backend="none")
def links(session: nox.Session) -> None:
    """Follow all links of the built site, also to other sites; arguments go to Linkinator, such as --skip PATTERN."""
    if not shutil.which("npm"):
        session.error("Linkinator needs npm (Debian: apt install npm)")
    built, folder = ROOT / "_build" / "html", ROOT / "_build" / "links"
    session.run("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), LINKINATOR)
    languages = sorted(f"{path.parent.name}/" for path in built.glob("*/index.html"))
    with session.chdir(built):  # what it crawls is relative to the root of its server
        words = ("--server-root", ".", "--recurse", "--retry", "--retry-errors", "--verbosity", "error")
        session.run(str(folder / "node_modules" / ".bin" / "linkinator"), *languages, *words, *session.posargs)


@nox.session(venv_backend="none")
def coverage(session: nox.Session) -> None:
    """Run the unit tests and show which lines of ci/ and flaxbook/ none of them executes."""
    report = "--cov-report=html:_build/reports/coverage"
    words = ("-q", "-n", "auto", "--ignore=tests/pages", "--cov", "--cov-report=term:skip-covered", report)
    session.run(PYTHON, "-m", "pytest", *words, "tests", env=VARIABLES)


@nox.session(venv_backend="none")
def inventories(session: nox.Session) -> None:
    """Fetch anew which names the documentation of each library has, all lists or none."""
    import yaml  # not everywhere where nox is

    mapping = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"]
    new = {}
    for address, path in mapping["intersphinx_mapping"].values():
        with urlopen(f"{address}objects.inv", timeout=30) as answer:
            new[ROOT / path] = answer.read()
    for path, content in new.items():
        path.write_bytes(content)
