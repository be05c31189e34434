"""Open, update or close the issue that says what the weekly checks have found: `python -m ci.checks.weekly FOLDER`.

FOLDER holds the outcomes of the environments, as `ci.checks.readers` writes them. The hosted workflow sets the
environment variables: GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN, RUN_URL (the page of the run), and JOBS, a JSON
object {job: {"result": "success"}}.
"""

import json
import os
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ci.execution import environments
from ci.execution.environments import Failure, Outcome

TITLE = "The weekly checks fail"
LABEL = "weekly"
MOST = 30  # failures that are quoted; GitHub accepts 65,536 characters
GREEN = {"success", "skipped"}
API = "2022-11-28"


def outcomes(folder: Path) -> dict[str, Outcome]:
    """Return {environment: outcome} of all files below a folder."""
    return {name: one for file in sorted(folder.rglob("*.json")) for name, one in environments.read(file).items()}


def found(results: Mapping[str, Outcome], jobs: Mapping[str, str]) -> str:
    """Return what is wrong as Markdown: jobs that failed, changed packages, cells that differ; "" if nothing is.

    Args:
      jobs: {job: result}, such as {"links": "failure"}.
    """
    failed = [f"- job `{job}`: {result}" for job, result in jobs.items() if result not in GREEN]
    changed = [f"- `{name}`: the installation changed {one}" for name in results for one in results[name].changed]
    failures = [(name, failure) for name, outcome in results.items() for failure in outcome.failures]
    cells = [part for name, failure in failures[:MOST] for part in quoted(name, results[name], failure)]
    more = [f"and {len(failures) - MOST} more cells"] if len(failures) > MOST else []
    return "\n".join([*failed, *changed, *cells, *more])


def quoted(name: str, outcome: Outcome, failure: Failure) -> Iterator[str]:
    """Yield the lines about a failure: environment, versions, notebook, cell, and what was expected and found."""
    versions = ", ".join(f"{package} {version}" for package, version in outcome.versions.items())
    yield f"\n### `{name}`: {failure.notebook}, {failure.cell}\n"
    yield f"{versions}; {outcome.date}\n"
    yield from (f"    {line}" for line in failure.text.splitlines())


class Repository:
    """The issues of a repository on GitHub."""

    def __init__(self, api: str, name: str, token: str) -> None:
        self.address = f"{api}/repos/{name}/issues"
        self.headers = {"Authorization": f"Bearer {token}", "X-GitHub-Api-Version": API}

    def call(self, method: str, path: str = "", content: Mapping[str, Any] | None = None) -> Any:
        """Send a request and return the JSON of the answer; raise urllib.error.URLError if it fails."""
        data = json.dumps(content).encode() if content else None
        request = urllib.request.Request(self.address + path, data, self.headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def open_issue(self) -> int | None:
        """Return the number of the open issue with the label; None if there is none."""
        return next((issue["number"] for issue in self.call("GET", f"?state=open&labels={LABEL}")), None)

    def say(self, text: str, run: str) -> str:
        """Open, update or close the issue, so that it says `text`; return what was done."""
        number = self.open_issue()
        if text:
            content = {"title": TITLE, "body": f"{text}\n\n{run}\n", "labels": [LABEL]}
            if number is None:
                return f"opened issue {self.call('POST', content=content)['number']}"
            self.call("PATCH", f"/{number}", content)
            return f"updated issue {number}"
        if number is None:
            return "all checks passed, and no issue is open"
        self.call("POST", f"/{number}/comments", {"body": f"All weekly checks pass again: {run}"})
        self.call("PATCH", f"/{number}", {"state": "closed", "state_reason": "completed"})
        return f"closed issue {number}"


def main(folder: str) -> None:
    """Report the outcomes in a folder and the results of the jobs."""
    jobs = {job: one["result"] for job, one in json.loads(os.environ["JOBS"]).items()}
    names = ("GITHUB_API_URL", "GITHUB_REPOSITORY", "GITHUB_TOKEN")
    print(
        Repository(*(os.environ[name] for name in names)).say(
            found(outcomes(Path(folder)), jobs), os.environ["RUN_URL"]
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
