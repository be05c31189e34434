"""Measures what authors wait for, in rounds: the usual way to build and check such a book, this book's, and the floor.

All of it is done to clones of one commit in folders of their own, so that nothing here is changed or found warm. What
was broken off goes on with the commit it began with.
"""

import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from ci import _
from ci.book import Book, BookError, git, waiting
from ci.catalogues.sentences import say
from ci.checks import checks, edits
from ci.checks.ways import clone, executed_cells, meter, ours, usual
from ci.execution import frameworks, timings
from ci.execution.environment import environment
from ci.execution.run import prepare_data
from ci.execution.timings import OURS, USUAL, Step

BUILD, REFRESH = [*checks.CI, "build"], [*checks.CI, "refresh"]
HEADINGS = (_("median"), _("fastest"), _("slowest"), _("cells executed"), _("pages rendered"))
EDITS = {"nothing": None, "prose": edits.prose, "catalogue": edits.catalogue, "code": edits.code}


def after(book, folder, *commands):
    """The `Step` of some commands on a built book."""
    measured, before = meter(book, folder), edits.rendered(book)
    said = "".join(measured.run(command, book.root) for command in commands)
    pages = sum(before.get(page) != when for page, when in edits.rendered(book).items())
    return Step(measured.seconds, executed_cells(said), pages, measured.memory)


def after_edits(book, folder):
    """What is waited for after each edit of a built book, until its pages show it; {step: Step}."""
    steps = {}
    for name, edit in EDITS.items():
        if edit:
            edit(book)
        steps[name] = after(book, folder, BUILD)
    after(book, folder, REFRESH)  # what is left of these edits must not count below
    edits.forget_programs(book)  # a new chapter has none
    steps["chapter"] = after(edits.chapter(book), folder, REFRESH, BUILD)
    return steps


def of_a_language(book, folder):
    """What rendering all languages takes more than rendering the source's alone, as a `Step`."""
    edits.forget_rendered(book)
    every = after(book, folder, BUILD)
    edits.forget_rendered(book)
    one = after(edits.source_language_alone(book), folder, BUILD)
    others = len(book.translations)
    return Step((every.seconds - one.seconds) / others, every.cells, (every.pages - one.pages) // others)


def one_round(book, number, commit):
    """Everything once; returns {step: Step}. Which of the two ways comes first changes from round to round."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        tree, steps = clone(book, folder / "tree", commit), {}
        for way in (usual, ours) if number % 2 else (ours, usual):
            steps |= way(tree, folder)
        steps |= after_edits(tree, folder)
        return steps | {"language": of_a_language(Book(tree.root), folder)}


def all_checks(book, commit):
    """All checks of a fresh clone of a commit, as a `Step`, and the bytes of each language's site, {language: bytes}.

    Raises:
      BookError: a check failed, or no page was opened.
    """
    with tempfile.TemporaryDirectory() as folder:
        tree = clone(book, Path(folder, "tree"), commit)
        measured = meter(tree, Path(folder))
        measured.run([*checks.CI, "test"], tree.root)
        if checks.tests(tree.built("reports", "pages.xml"))["skipped"]:
            raise BookError("no browser was found, so no page was opened (Debian: apt install chromium fonts-nanum)")
        site = {
            code: sum(path.stat().st_size for path in tree.built("html", code).rglob("*") if path.is_file())
            for code in tree.languages
        }
        return Step(measured.seconds, memory=measured.memory), site


def table(rows):
    """A table of `timings.Row`s, for a terminal."""
    shown = Table("", *map(say, HEADINGS))
    for row in rows:
        shown.add_row(*timings.words(row, say))
    return shown


def sizes(found):
    """A text about memory and the size of the site."""
    usual, ours = (found["rounds"][-1][name].memory / 1e9 for name in (USUAL, OURS))
    site = ", ".join(f"{code} {size / 1e6:.1f} MB" for code, size in found["site"].items())
    text = _("most memory: the usual way {usual} GB, this book {ours} GB; the site: {site}")
    return say(text, usual=f"{usual:.1f}", ours=f"{ours:.1f}", site=site)


def draw(book, found):
    """Draws the medians as bars, with the rounds as points; returns the path of the picture."""
    from matplotlib.figure import Figure  # which takes a second

    shown = [one for one in timings.rows(found["rounds"]) if one.unit == "s"]
    figure = Figure(figsize=(9, 0.45 * len(shown) + 1), layout="constrained")
    axes = figure.subplots()
    axes.barh([one.text for one in shown], [max(one.median, 0) for one in shown], color="tab:blue")
    for place, one in enumerate(shown):
        axes.plot([one.low, one.high], [place, place], color="black", marker="|")
    axes.invert_yaxis()
    axes.set(xscale="log", xlabel="seconds")
    target = book.built("bench.png")
    figure.savefig(target)
    return target


def refuse_small(book):
    """Refuses a book that is too small for the edits.

    Raises:
      BookError: it is.
    """
    if len(book.chapters) < edits.CHAPTERS or not book.translations:
        sentence = _("there is too little to measure: {count} chapters and a translation are needed")
        raise BookError(sentence, count=edits.CHAPTERS)


def stored_before(book):
    """What was measured last, or None; a file that cannot be read is about to be replaced."""
    try:
        return timings.load(book)
    except BookError:
        return None


def broken_off(found):
    """Whether a run did not come to its end, on this machine and with these packages."""
    now = environment() | {"date": None}
    return found is not None and "site" not in found and found["environment"] | {"date": None} == now


def report(book, rounds):
    """Measures so many rounds, then all checks; stores what was found after each, and prints it beside the last one.

    Raises:
      BookError: a step failed; what was measured before it is stored, and the next run goes on there.
    """
    refuse_small(book)
    frameworks.refuse_lacking(book, book.chapters)
    prepare_data()
    before, console = stored_before(book), Console()
    if broken_off(before):
        found, before = before, None
        sentence = _("goes on with commit {commit} after {count} rounds; to begin again, delete {path}")
        count, path = len(found["rounds"]), book.relative(timings.path(book))
        print(say(sentence, commit=found["commit"], count=count, path=path), flush=True)
    else:
        commit = (git.git(book, "rev-parse", "--short", "HEAD") or "").strip()
        found = {"commit": commit, "environment": environment(), "rounds": []}
        print(say(_("measured is commit {commit}, without what is not committed"), commit=commit), flush=True)
    with waiting.stage(_("measuring"), rounds, _("rounds")) as advance:
        for number in range(1, rounds + 1):
            if number > len(found["rounds"]):
                found["rounds"].append(one_round(book, number, found["commit"]))
                timings.store(book, found)
            advance()
    found["rounds"][-1]["checks"], found["site"] = all_checks(book, found["commit"])
    timings.store(book, found)
    if before:
        date = before["environment"]["date"]
        console.print(say(_("before ({date})"), date=date), table(timings.rows(before["rounds"])))
    console.print(table(timings.rows(found["rounds"])), sizes(found))
    print(say(_("to see it drawn: {path}"), path=book.relative(draw(book, found))))
