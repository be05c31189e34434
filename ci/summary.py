"""Counts what the checks left in a folder of reports: python -m ci.summary FOLDER

A check leaves NAME.result ("passed" or "failed"), and NAME.xml (JUnit) if it consists of tests.
"""

import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path


def count(folder):
    """Returns {check: Counter of passed, failed, skipped}; a check without tests counts as one."""
    counts = {}
    for result in sorted(folder.glob("*.result"), key=lambda path: path.stat().st_mtime_ns):
        name, verdict = result.stem, result.read_text().strip()
        report = result.with_suffix(".xml")
        counts[name] = tests(report) if report.exists() else Counter({verdict: 1})
        if verdict == "failed" and not counts[name]["failed"]:  # such as an error of the test runner itself
            counts[name]["failed"] = 1
    return counts


def tests(report):
    """Counts the tests of a JUnit report."""
    counts = Counter()
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        counts["failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"] += 1
    return counts


def line(counts):
    return f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped"


def main():
    counts = count(Path(sys.argv[1]))
    for name, own in counts.items():
        print(f"{name + ':':12}{line(own)}")
    total = sum(counts.values(), Counter())
    if counts.get("pages", {}).get("skipped"):
        print("No browser was found, so no page was opened (Debian: apt install chromium fonts-nanum).")
    print(line(total))
    sys.exit(bool(total["failed"]))


if __name__ == "__main__":
    main()
