"""Write the result of a check of the catalogues: text for people, annotations for GitHub."""

from collections.abc import Iterator
from urllib.parse import quote

from ci import _
from ci.catalogues.check import Report
from ci.catalogues.fault import Gettext
from ci.catalogues.sentences import say


def text_lines(report: Report, gettext: Gettext) -> Iterator[str]:
    """Yield lines of plain text: problems by file and line, waivers, and a summary."""
    for problem in report.in_order():
        yield f"{problem.path}:{problem.line}: {problem.say(gettext)}"
    for problem, reason in report.waived:
        place = f"{problem.path}:{problem.line}"
        yield say(_("waived: {place}: {fault} ({reason})"), place=place, fault=problem.say(gettext), reason=reason)
    yield say(
        _(
            "catalogues: {entries} entries checked, not translated: {untranslated}, to be revised: {outdated}, "
            "waived: {waived}, faults: {faults}"
        ),
        entries=report.entries,
        untranslated=report.untranslated,
        outdated=len(report.outdated),
        waived=len(report.waived),
        faults=len(report.problems),
    )


def github_lines(report: Report, gettext: Gettext) -> Iterator[str]:
    """Yield a workflow command of GitHub Actions for each problem, which annotates the line of the catalogue.

    See https://docs.github.com/actions/reference/workflow-commands-for-github-actions
    """
    for problem in report.problems:
        text = problem.say(gettext).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        path = quote(problem.path, safe="/ ")
        yield f"::error file={path},line={problem.line},title={problem.fault.rule}::{text}"


FORMATS = {"text": text_lines, "github": github_lines}
