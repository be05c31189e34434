"""What dies for want of memory has a second chance, with the machine to itself; here a cell kills what runs it."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from ci.book import Book, here
from ci.checks import checks
from ci.execution import cache
from ci.execution.died import ONCE, command, replace_cases
from ci.execution.kernel import DeadKernel

ONE, TWO = "book/part/one", "book/part/two"
ONCE_ONLY = "import os; from pathlib import Path\nif not Path({flag!r}).exists(): Path({flag!r}).touch(); "
KILL = "os.kill({whom}, 9)"
METADATA = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}


@pytest.fixture
def flag(tmp_path):
    return ONCE_ONLY.format(flag=str(tmp_path / "killed"))


@pytest.fixture
def two(book, edit):
    """The small book with a second chapter."""
    book.source(TWO).write_text(book.source(ONE).read_text(encoding="utf-8").replace("two is", "and two is"), "utf-8")
    edit(book.root / "_toc.yml", f"- file: {ONE}", f"- file: {ONE}\n      - file: {TWO}")
    return Book(book.root)


def cached(book):
    return [name for name in book.chapters if cache.executed(book).fetch(name)]


def test_a_chapter_that_dies_is_executed_once_more_when_the_others_have_ended(two, execute, edit, flag, capsys):
    edit(two.source(ONE), "x = 1 + 1\n", f"{flag}{KILL.format(whom='os.getpid()')}\nx = 1 + 1\n")
    assert [result.chapter for result in execute()] == [ONE, TWO]
    assert cached(two) == [ONE, TWO]
    assert (
        f"{ONE}, code cell 1: the kernel died (out of memory?): executed once more, alone" in capsys.readouterr().out
    )


def test_one_that_dies_again_is_an_error_that_names_it_and_the_others_are_kept(two, execute, edit):
    edit(two.source(ONE), "x = 1 + 1\n", f"import os; {KILL.format(whom='os.getpid()')}\nx = 1 + 1\n")
    with pytest.raises(DeadKernel, match=f"^{ONE}, code cell 1: the kernel died"):
        execute()
    assert cached(two) == [TWO]


@pytest.fixture
def validate(tmp_path):
    """Validates notebooks, {name: codes of the cells}; returns the finished process and the counts of its report."""
    folder, report = tmp_path / "notebooks" / "en", tmp_path / "report.xml"
    folder.mkdir(parents=True)
    (folder.parent / "conftest.py").write_text((here().root / "notebooks" / "conftest.py").read_text())
    pytest = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", tmp_path, f"--junitxml={report}"]

    def validate(*options, **notebooks):
        for name, codes in notebooks.items():
            cells = [new_code_cell(code, execution_count=count) for count, code in enumerate(codes, start=1)]
            nbformat.write(new_notebook(cells=cells, metadata=METADATA), folder / f"{name}.ipynb")
        words = [*pytest, "--dist", "loadscope", "--nbval", *options, folder]
        done = subprocess.run(words, cwd=here().root, env=os.environ, capture_output=True, text=True)
        assert not list(tmp_path.glob("*.again.xml"))
        return done, checks.tests(report)

    return validate


@pytest.mark.parametrize("options", [[], ["-n", "2"]], ids=["alone", "workers"])
def test_a_notebook_whose_kernel_dies_once_is_counted_by_the_second_result(validate, flag, options):
    dying = ["x = 1", flag + KILL.format(whom="os.getpid()"), "x"]
    done, counts = validate(*options, fine=["y = 2"], dying=dying[:2])
    assert (done.returncode, counts) == (0, {"passed": 3}), done.stdout
    assert "notebooks/en/dying.ipynb: its kernel or its worker died" in done.stdout


def test_so_is_one_whose_worker_dies(validate, flag):
    dying = ["x = 1", f"{flag}{KILL.format(whom='os.getppid()')}; import time; time.sleep(60)", "y = x"]
    done, counts = validate("-n", "2", fine=["y = 2"], dying=dying)
    assert (done.returncode, counts) == (0, {"passed": 4}), done.stdout
    assert "notebooks/en/dying.ipynb: its kernel or its worker died" in done.stdout


def test_one_that_dies_again_has_failed_and_so_has_what_was_wrong_besides(validate, flag):
    dying = [f"import os; {KILL.format(whom='os.getpid()')}"]
    done, counts = validate("-n", "2", dying=dying)
    assert (done.returncode, counts) == (1, {"failed": 1}), done.stdout
    once = [flag + KILL.format(whom="os.getpid()")]
    done, counts = validate("-n", "2", dying=once, wrong=["1 / 0"])
    assert (done.returncode, counts) == (1, {"failed": 1, "passed": 1}), done.stdout


@pytest.mark.parametrize("fates", [["failure", "error"], ["skipped", "failure"], ["", ""]])
def test_the_merged_report_counts_the_cases_that_it_has(tmp_path, fates):
    def write(name, fates):
        suite = ElementTree.Element("testsuite", tests="9", failures="9", errors="9", skipped="9")
        for fate in fates:
            case = ElementTree.SubElement(suite, "testcase", classname=name)
            case.extend([ElementTree.Element(fate)] if fate else [])
        return suite

    first, second = ElementTree.Element("testsuites"), ElementTree.Element("testsuites")
    first.append(write("dead", ["failure"]))
    first[0].append(write("fine", [""])[0])
    second.append(write("dead", fates))
    report, again = tmp_path / "report.xml", tmp_path / "report.again.xml"
    for root, path in ((first, report), (second, again)):
        ElementTree.ElementTree(root).write(path)
    replace_cases(report, again)
    (suite,) = ElementTree.parse(report).getroot()
    kinds = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    assert suite.attrib == {"tests": "3"} | {total: str(fates.count(kind)) for total, kind in kinds.items()}


def test_alone_is_one_worker_and_only_what_died():
    words = command(["-n", "auto", "--nbval", "notebooks/en"], ["notebooks/en"], ["notebooks/en/a.ipynb"], "b.xml")
    assert words[3:] == ["-n", "auto", "--nbval", "-n", "1", "--junitxml=b.xml", ONCE, "notebooks/en/a.ipynb"]
