from ci.proofs import checks as summary

REPORT = """<testsuites><testsuite>
<testcase name="a"/><testcase name="b"><failure/></testcase><testcase name="c"><skipped/></testcase>
</testsuite></testsuites>"""


def test_tests_and_plain_checks_are_counted(tmp_path):
    (tmp_path / "lint.result").write_text("passed\n")
    (tmp_path / "unit.result").write_text("failed\n")
    (tmp_path / "unit.xml").write_text(REPORT)
    assert summary.count(tmp_path) == {"lint": {"passed": 1}, "unit": {"passed": 1, "failed": 1, "skipped": 1}}


def test_a_runner_that_failed_without_a_failed_test_is_a_failure(tmp_path):
    (tmp_path / "unit.result").write_text("failed\n")
    (tmp_path / "unit.xml").write_text("<testsuites/>")
    assert summary.count(tmp_path)["unit"]["failed"] == 1
