"""A notebook whose kernel died, or the worker of pytest-xdist that had it, is validated once more, alone.

What it was short of, such as memory, may have been taken by the others. Only the second result counts.
"""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from ci.book import processes

KERNEL_DIED = "the kernel died (out of memory?)"
WORKER_DIED = "crashed while running"  # in the words of pytest-xdist
ONCE = "--once"


class Died:
    """A pytest plugin for the process that has the workers.

    Attributes:
      notebooks: the paths of those that died, from the root of pytest.
      failed: the paths of all with a cell that failed.
      exitstatus: of pytest when all was validated, but for what is validated once more; None before.
    """

    def __init__(self, config):
        self.config, self.notebooks, self.failed, self.exitstatus = config, set(), set(), None

    @property
    def nothing_was_cut_short(self):
        """Whether every kernel has run to its end, so that none left a file half written."""
        return self.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) and not self.notebooks

    def pytest_runtest_logreport(self, report):
        if report.failed:
            path = report.nodeid.partition("::")[0]
            self.failed.add(path)
            if KERNEL_DIED in report.longreprtext or WORKER_DIED in report.longreprtext:
                self.notebooks.add(path)

    @pytest.hookimpl(wrapper=True, tryfirst=True)  # around the others, so that the first report is complete
    def pytest_sessionfinish(self, session, exitstatus):
        result = yield
        self.exitstatus = exitstatus
        once = self.config.getoption(ONCE)
        if self.notebooks and exitstatus == pytest.ExitCode.TESTS_FAILED and not once:
            status = validate_again(self.config, sorted(self.notebooks))
            session.exitstatus = exitstatus if self.failed - self.notebooks else status
        return result


def command(options, paths, notebooks, report=None):
    """The command line that validates some notebooks alone.

    Args:
      options: those of the first validation, with its `paths` among them.
      report: a path, or None, for the JUnit report.
    """
    kept = [option for option in map(str, options) if option not in paths]
    one_worker = ["-n", "1"] if any(option.startswith(("-n", "--numprocesses")) for option in kept) else []
    reported = [f"--junitxml={report}"] if report else []
    return [sys.executable, "-m", "pytest", *kept, *one_worker, *reported, ONCE, *notebooks]


def validate_again(config, notebooks):
    """Names some notebooks, validates them alone, and puts what that finds into the report; returns the status."""
    print()
    for name in notebooks:
        print(f"{name}: its kernel or its worker died (out of memory?): validated once more, alone", flush=True)
    report = config.option.xmlpath and Path(config.option.xmlpath)
    again = report and report.with_suffix(".again.xml")
    given, paths = config.invocation_params, [config.rootpath / name for name in notebooks]
    status = processes.run(command(given.args, config.args, map(str, paths), again), cwd=given.dir)
    if again and again.exists():
        replace_cases(report, again)
    return status


def count(suite):
    """Makes what a suite says of its cases true of those that it has."""
    cases = list(suite.iter("testcase"))
    suite.set("tests", str(len(cases)))
    for total, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(total, str(sum(case.find(kind) is not None for case in cases)))


def replace_cases(report, again):
    """Puts the notebooks of a second JUnit report in the place that they have in the first, and removes the second."""
    tree, second = ElementTree.parse(report), list(ElementTree.parse(again).iter("testcase"))
    names = {case.get("classname") for case in second}
    for suite in tree.iter("testsuite"):
        for case in [case for case in suite.iter("testcase") if case.get("classname") in names]:
            suite.remove(case)
        suite.extend(second)
        count(suite)
    tree.write(report, encoding="utf-8", xml_declaration=True)
    again.unlink()
