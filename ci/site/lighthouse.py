"""Measures every page of the built book with Lighthouse, as a phone meets it, served by Python's own server."""

import json
import os
import shutil
import statistics
import subprocess
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from ci import _
from ci.book import BookError, processes, waiting
from ci.catalogues.sentences import say
from ci.site import browser, publish

PACKAGE = "lighthouse@12.8.2"
FLAGS = " ".join(("--headless=new", "--disable-sync", "--no-first-run", *browser.OPTIONS))
TARGETS = {"performance": 0.95, "accessibility": 1, "best-practices": 1, "seo": 1}
NOT_INDEXED = "/search.html"  # asks not to be indexed, which Lighthouse counts as a fault of SEO
LIGHT = 300_000  # bytes of a page


@dataclass
class Measurement:
    """One run on one page."""

    scores: dict
    bytes: int
    outside: int
    """Requests to other sites."""


def measure(program, address, page):
    """Runs Lighthouse once.

    Raises:
      BookError: there is no browser, or Lighthouse failed.
    """
    command = [program, f"{address}/{page}", "--quiet", "--output=json", f"--chrome-flags={FLAGS}"]
    environment = os.environ | {"CHROME_PATH": browser.needed()}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BookError(_("Lighthouse failed on {page}: {error}"), page=page, error=done.stderr.strip())
    return read(json.loads(done.stdout), address)


def read(report, address):
    """What counts of a report of Lighthouse."""
    requests = report["audits"]["network-requests"]["details"]["items"]
    outside = [one for one in requests if not one["url"].startswith((address, "data:"))]
    return Measurement(
        {name: report["categories"][name]["score"] for name in TARGETS},
        report["audits"]["total-byte-weight"]["numericValue"],
        len(outside),
    )


def median(runs):
    """One `Measurement` of several of a page."""
    scores = {name: statistics.median(run.scores[name] for run in runs) for name in TARGETS}
    return Measurement(scores, max(run.bytes for run in runs), max(run.outside for run in runs))


def missed(page, found):
    """The names of the targets that a page misses."""
    names = [name for name, target in TARGETS.items() if found.scores[name] < target]
    if page.endswith(NOT_INDEXED) and "seo" in names:
        names.remove("seo")
    if found.bytes > LIGHT:
        names.append("bytes")
    return names + ["outside"] * bool(found.outside)


def install(book):
    """Installs Lighthouse into `_build/lighthouse`, if it is not there; returns the program.

    Raises:
      BookError: there is no npm on this machine, or it failed.
    """
    folder = book.built("lighthouse")
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, PACKAGE]
    if not shutil.which("npm"):
        sentence = _("Lighthouse is installed by npm, which this machine does not have (Debian: apt install npm)")
        raise BookError(sentence)
    if processes.run(command):
        raise BookError(_("npm could not install {package}"), package=PACKAGE)
    return folder / "node_modules" / ".bin" / "lighthouse"


def report(book, runs):
    """Prints a table with the median of so many runs on every page; returns 1 if a page misses a target."""
    program, bad = install(book), 0
    table = Table("page", *TARGETS, "KB", "outside", "missed")
    pages = [f"{code}/{name}.html" for code in book.languages for name in [*book.pages, "search"]]
    measuring = waiting.stage(_("measuring"), len(pages), _("pages"))
    with browser.served(publish.readable(book)) as address, measuring as advance:
        for page in pages:
            found = median([measure(program, address, page) for _run in range(runs)])
            names = missed(page, found)
            bad += bool(names)
            scores = [f"{score:.2f}" for score in found.scores.values()]
            advance()
            table.add_row(page, *scores, f"{found.bytes / 1000:.0f}", str(found.outside), ", ".join(names))
    Console().print(table)
    print(say(_("{count} pages miss a target"), count=bad))
    return int(bad > 0)
