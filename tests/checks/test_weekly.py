import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from ci.book import here
from ci.checks import weekly
from ci.execution import environments
from ci.execution.environments import Failure, Outcome

VERSIONS = {"Python": "3.13", "jax": "0.12.0"}
FAILURE = Failure("notebooks/ko/training/dropout.ipynb", "code cell 3", "expected:  1\ngot:       2")


def outcome(failures=(), changed=()):
    return Outcome("2026-01-02", VERSIONS, list(changed), [], {FAILURE.notebook: {"passed": 30}}, list(failures))


class Host(HTTPServer):
    """A stub of the API for issues, which keeps them in a list."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.issues, self.requests = [], []


class Handler(BaseHTTPRequestHandler):
    def answer(self):
        size = int(self.headers.get("Content-Length", 0))
        content = json.loads(self.rfile.read(size)) if size else {}
        place = self.path.removeprefix("/repos/one/book/issues")
        self.server.requests.append((self.command, place, self.headers["Authorization"]))
        issues = self.server.issues
        if self.command == "GET":
            reply = [issue for issue in issues if issue["state"] == "open"]
        elif not place:
            reply = {"number": len(issues) + 1, "state": "open", "comments": [], **content}
            issues.append(reply)
        else:
            reply = issues[int(place.split("/")[1]) - 1]
            if place.endswith("/comments"):
                reply["comments"].append(content["body"])
            else:
                reply.update(content)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(reply).encode())

    do_GET = do_POST = do_PATCH = answer

    def log_message(self, *_words):
        pass


@pytest.fixture
def host():
    with Host() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def run(host, tmp_path):
    """Runs the command as the workflow does, with the given outcomes and results of jobs; returns what it printed."""

    def run(outcomes, **jobs):
        environments.write(tmp_path / "colab.json", outcomes)
        variables = {
            "GITHUB_API_URL": f"http://127.0.0.1:{host.server_port}",
            "GITHUB_REPOSITORY": "one/book",
            "GITHUB_TOKEN": "secret",
            "RUN_URL": "https://example.com/run",
            "JOBS": json.dumps({job: {"result": result} for job, result in jobs.items()}),
        }
        command = [sys.executable, "-m", "ci.checks.weekly", str(tmp_path)]
        done = subprocess.run(command, env=os.environ | variables, cwd=here().root, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


def test_one_issue_is_opened_then_updated_then_closed(host, run):
    assert run({"colab": outcome([FAILURE])}, readers="failure") == "opened issue 1"
    body = host.issues[0]["body"]
    for words in ("`colab`", FAILURE.notebook, FAILURE.cell, "    expected:  1", "    got:       2", "jax 0.12.0"):
        assert words in body
    assert host.issues[0]["labels"] == ["weekly"]
    assert run({"colab": outcome()}, links="failure", readers="success") == "updated issue 1"
    assert "- job `links`: failure" in host.issues[0]["body"]
    assert FAILURE.notebook not in host.issues[0]["body"]
    assert run({"colab": outcome()}, links="success") == "closed issue 1"
    assert (host.issues[0]["state"], len(host.issues[0]["comments"])) == ("closed", 1)
    assert run({"colab": outcome([FAILURE])}) == "opened issue 2"
    assert {authorization for _method, _path, authorization in host.requests} == {"Bearer secret"}


def test_nothing_is_opened_if_all_checks_pass(host, run):
    assert run({"colab": outcome()}, links="success", bench="skipped") == "all checks passed, and no issue is open"
    assert host.issues == []


def test_a_changed_package_is_reported():
    assert "numpy 2.0 -> 2.1" in weekly.found({"colab": outcome(changed=["numpy 2.0 -> 2.1"])}, {})


def test_many_failures_are_cut():
    text = weekly.found({"colab": outcome([FAILURE] * (weekly.MOST + 5))}, {})
    assert text.endswith("and 5 more cells")
    assert text.count("###") == weekly.MOST
