"""Says what is wrong with the catalogues: python -m ci.check [--format text|github|json] [--advise] [FILE ...]

It needs the messages in _build/gettext, which ./ci/messages.sh writes.
"""

import argparse
import json
import os
import sys
from pathlib import Path
from urllib.parse import quote

from ci.catalogues import check
from ci.chapters import here
from ci.errors import reported
from ci.faults import _
from ci.words import say, sentences, user_language


def text_lines(report, translations):
    for one in report.problems + report.outdated:
        yield f"{one.path}:{one.line}: {one.sentence(translations)}"
    for one, reason in report.waived:
        place = f"{one.path}:{one.line}"
        yield say(
            _("waived: {place}: {fault} ({reason})"), place=place, fault=one.sentence(translations), reason=reason
        )
    yield say(
        _("catalogues: {entries} entries checked, to be revised: {outdated}, waived: {waived}, faults: {faults}"),
        entries=report.entries,
        outdated=len(report.outdated),
        waived=len(report.waived),
        faults=len(report.problems),
    )


def github_lines(report, translations):
    """Annotations of GitHub: https://docs.github.com/actions/reference/workflow-commands-for-github-actions"""
    for one in report.problems:
        text = one.sentence(translations).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        path = quote(one.path, safe="/ ")
        yield f"::error file={path},line={one.line},title={one.fault.rule}::{text}"


def json_lines(report, translations):
    for one in report.problems:
        yield json.dumps(
            {
                "file": one.path,
                "line": one.line,
                "rule": one.fault.rule,
                "entry": one.message,
                "message": one.fault.say(translations),
            },
            ensure_ascii=False,
        )


FORMATS = {"text": text_lines, "github": github_lines, "json": json_lines}


def main():
    book = here()
    arguments = argparse.ArgumentParser(description="Checks catalogues.")
    default = "github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text"
    arguments.add_argument("--format", choices=FORMATS, default=default)
    arguments.add_argument("--advise", action="store_true", help="end with exit status 0 also if there are faults")
    arguments.add_argument("files", nargs="*", type=Path, metavar="FILE")
    chosen = arguments.parse_args()
    with reported():
        report = check(book, book.root / "_build" / "gettext", chosen.files)
        for line in FORMATS[chosen.format](report, sentences(book, user_language())):
            print(line)
    sys.exit(bool(report.problems) and not chosen.advise)


if __name__ == "__main__":
    main()
