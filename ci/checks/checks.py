"""Run the checks, also after one has failed, and say what passed, what failed and what could not be checked.

Each check is a session of nox, in `noxfile.py`. `./ci/test.sh CHAPTER` checks chapters in its place.
"""

import json
import shutil
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from ci.book import Book, BookError, commands, here, processes
from ci.catalogues.sentences import users_sentences
from ci.execution import cache
from ci.execution import run as execution
from ci.notebooks import faults, leftovers

CHECKS = ("lint", "format", "types", "unit", "book", "notebooks", "catalogues", "refresh", "pages")


def run(book: Book) -> int:
    """Run all checks; return the exit status."""
    reports, known = book.built("reports"), execution.in_cache(cache.executed(book), book.chapters)
    what = "were executed before this run, with the same code and packages, and not again"
    remark = f"{len(known)} of {len(book.chapters)} chapters {what}: ./ci/test.sh CHAPTER executes one anew"
    remarks = [remark] if known else []
    shutil.rmtree(reports, ignore_errors=True)
    reports.mkdir(parents=True)
    words = ["--non-interactive", "--report", reports / "nox.json", "--session", *CHECKS]
    processes.run([sys.executable, "-m", "nox", *map(str, words)], cwd=book.root)
    if not (reports / "nox.json").exists():
        raise BookError("nox could not run the checks of noxfile.py; the reason is above")
    total, lines = Counter[str](), []
    for session in json.loads((reports / "nox.json").read_text(encoding="utf-8"))["sessions"]:
        counts, reasons = result(session, reports)
        lines.append(f"{session['name'] + ':':12}{session['duration']:7.1f} s  {shown(counts)}")
        remarks += reasons
        total += counts
    print("", *lines, *remarks, shown(total), sep="\n")
    return int(total["failed"] > 0)


def check(book: Book, names: Sequence[str]) -> int:
    """Check the texts of chapters, a new execution, and what is stored of them; return the exit status.

    Raises:
      BookError: A text has a fault, and nothing was executed.
    """
    leftovers.refuse_missing(book)
    faults.refuse(faults.in_sources(book), faults.BEFORE)
    _folder, errors = execution.execute(book, names, keep_going=True, anew=True)
    for error in errors:
        print(error.say(users_sentences().gettext))
    tests = [name for name in ("tests/test_book.py",) if (book.root / name).exists()]
    notebooks = [book.relative(book.notebook(name, book.source_language)) for name in names]
    only = " or ".join(["ipynb", *(f"{name}- or {name}]" for name in names)])
    words = ["-q", "-rs", "-p", "ci.execution.nbval", "--nbval", "--executed", "-k", only]
    status = processes.run([sys.executable, "-m", "pytest", *words, *notebooks, *tests], cwd=book.root)
    return status or int(bool(errors))


def result(session: dict[str, str], reports: Path) -> tuple[Counter[str], list[str]]:
    """Return how many tests of a session passed, failed and were skipped, and a line for each reason of the latter.

    A session that wrote no report counts as one test.
    """
    name, report = session["name"], reports / f"{session['name']}.xml"
    status = {"success": "passed", "skipped": "skipped"}.get(session["result"], "failed")
    counts, reasons = Counter[str](), Counter[str]()
    if report.exists():
        for case in ElementTree.parse(report).iter("testcase"):
            tags = {child.tag for child in case}
            counts["failed" if tags & {"failure", "error"} else "skipped" if "skipped" in tags else "passed"] += 1
            for skip in case.iter("skipped"):
                how = "as announced" if skip.get("type") == "pytest.xfail" else "not checked"
                reasons[f"{how}: {skip.get('message')}"] += 1
    else:
        counts[status] = 1
        reasons.update([f"not checked: {session['reason']}"] if status == "skipped" else [])
    if status == "failed" and not counts["failed"]:  # such as an error of the test runner itself
        counts["failed"] = 1
    return counts, [f"{name}: {number} {reason}" for reason, number in reasons.items()]


def shown(counts: Counter[str]) -> str:
    """Return counts as text, such as "3 passed, 0 failed, 1 skipped"."""
    return ", ".join(f"{counts[name]} {name}" for name in ("passed", "failed", "skipped"))


@click.command("./ci/test.sh", cls=commands.Command)
@click.argument("chapters", nargs=-1, metavar="[CHAPTER]...")
def main(book: Book, chapters: Sequence[str]) -> int:
    """Runs all checks, or those of some chapters."""
    return check(book, [book.find_chapter(name) for name in chapters]) if chapters else run(book)


if __name__ == "__main__":
    sys.exit(commands.run(main, sys.argv[1:], here(), users_sentences().gettext))
