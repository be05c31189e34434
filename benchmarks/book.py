"""Print what authors wait for as a Markdown table: `.venv/bin/python benchmarks/book.py [STEP …]`.

It works on a clone of the last commit in a temporary folder, and begins without a cache. The machine should have
nothing else to do: all steps together take about two hours on two cores. Steps after a build begin with one.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / ".venv" / "bin"
SOURCE = "en"
SHOWN = 3000  # last characters of the output of a command that failed
COLD, NOTHING, CHECKS, SENTENCE, USUAL = "cold", "nothing", "checks", "sentence", "usual"
STEPS = {  # in the order in which they run: the checks would not pass with an untranslated sentence
    COLD: "a cold build",
    NOTHING: "a build with nothing changed",
    CHECKS: "all checks after a build",
    SENTENCE: "a build with a sentence changed",
    USUAL: "the usual way: `jupyter-book build` and `pytest --nbval`, times the languages",
}
CONFIGURATION = {"title": "usual", "execute": {"execute_notebooks": "force", "timeout": 600, "run_in_temp": True}}


def run(command: list[str], folder: Path) -> tuple[float, float]:
    """Run a command in a folder; return its seconds, and the core seconds of its processes.

    The core seconds are without those of processes that nobody waited for, such as Ray's.
    """
    path = os.pathsep.join(map(str, (ROOT, ROOT / ".venv" / "frameworks")))
    variables = os.environ | {"PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": path}
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        start = time.monotonic()
        process = subprocess.Popen(command, cwd=folder, env=variables, stdout=log, stderr=log)
        _pid, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            log.seek(0)
            sys.exit(f"{' '.join(command)} failed: {log.read()[-SHOWN:]}")
    return seconds, usage.ru_utime + usage.ru_stime


def clone(folder: Path) -> Path:
    """Clone the last commit into a folder, with a link to the environment of the book; return the folder."""
    subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
    (folder / ".venv").symlink_to(ROOT / ".venv")
    return folder


def change_sentence(book: Path) -> None:
    """Add a sentence to the first chapter."""
    chapter = min((book / "notebooks" / SOURCE).rglob("*.ipynb")).relative_to(book / "notebooks" / SOURCE)
    with (book / "book" / chapter).with_suffix(".md").open("a", encoding="utf-8") as file:
        file.write("\nThat is all.\n")


def usual_way(folder: Path) -> tuple[float, float]:
    """Build and validate the notebooks of one language as a plain project; return the times, times the languages."""
    shutil.copytree(ROOT / "notebooks" / SOURCE, folder / "notebooks" / SOURCE)
    shutil.copy(ROOT / "notebooks" / "conftest.py", folder / "notebooks")
    notebooks = sorted(path.relative_to(folder) for path in folder.rglob("*.ipynb"))
    chapters = [{"file": str(path.with_suffix(""))} for path in notebooks]
    toc = {"format": "jb-book", "root": "index", "chapters": chapters}
    for name, content in {"_config.yml": CONFIGURATION, "_toc.yml": toc}.items():
        (folder / name).write_text(yaml.safe_dump(content), encoding="utf-8")
    (folder / "index.md").write_text("# The usual way\n", encoding="utf-8")
    languages = sum(path.is_dir() for path in (ROOT / "locale").iterdir()) + 1
    built = run(["jupyter-book", "build", "-q", "--all", "."], folder)
    if failed := list(folder.glob("_build/html/reports/**/*.log")):
        sys.exit(failed[0].read_text(encoding="utf-8"))
    validated = run(["python", "-m", "pytest", "-q", "--nbval", "-p", "no:cacheprovider", "notebooks"], folder)
    return (built[0] + validated[0]) * languages, (built[1] + validated[1]) * languages


def main() -> None:
    """Run the chosen steps, or all of them, and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="*", metavar="STEP", help=", ".join(STEPS))
    chosen = parser.parse_args().steps or list(STEPS)
    if unknown := set(chosen) - set(STEPS):
        parser.error(f"there is no step {', '.join(sorted(unknown))}: choose {', '.join(STEPS)}")
    cores = os.cpu_count() or 1
    print("| step | seconds | busy seconds / cores |\n|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        if {*chosen} - {USUAL}:
            book = clone(Path(folder, "book"))
            chosen = [COLD, *chosen]
        for step in (step for step in STEPS if step in chosen):
            if step == SENTENCE:
                change_sentence(book)
            command = ["./ci/test.sh"] if step == CHECKS else ["./ci/book.sh", "build"]
            seconds, busy = usual_way(Path(folder, "usual")) if step == USUAL else run(command, book)
            print(f"| {STEPS[step]} | {seconds:,.0f} | {busy / cores:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
