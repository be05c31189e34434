"""nbval as a reader runs it, and as CI runs it: compared with the execution in the cache."""

import os
import re
import subprocess
import sys
from copy import deepcopy

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from ci.book import here
from ci.execution import nbval
from ci.execution.cache import code_cells, code_digest, executed, read
from tests.checks import left

CHAPTER = "book/part/one"
SOURCE = "print('loss', 0.5)"


def cell(source, printed=None, count=1, **metadata):
    outputs = [new_output("stream", name="stdout", text=printed)] if printed else []
    return new_code_cell(source, execution_count=count, outputs=outputs, metadata=metadata)


@pytest.fixture
def run_nbval(tmp_path):
    """Runs nbval as a reader does on notebooks, {name: cells, or text}; no process may be left behind."""
    folder = tmp_path / "notebooks" / "en"
    folder.mkdir(parents=True)
    environment = os.environ | {left.MARK: str(tmp_path)}
    (folder.parent / "conftest.py").write_text((here().root / "notebooks" / "conftest.py").read_text())

    def run_nbval(*options, **notebooks):
        for name, cells in notebooks.items():
            kernel = {"name": "julia" if name == "julia" else "python3", "display_name": "A kernel"}
            notebook = new_notebook(cells=[] if isinstance(cells, str) else cells, metadata={"kernelspec": kernel})
            text = cells if isinstance(cells, str) else nbformat.writes(notebook)
            (folder / f"{name}.ipynb").write_text(text)
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", tmp_path, "--nbval", folder]
        done = subprocess.run(
            [*command, *options], cwd=here().root, env=environment, capture_output=True, text=True, check=False
        )
        assert left.marked(str(tmp_path)) == []
        return done

    return run_nbval


def test_each_thing_that_goes_wrong_has_one_clear_line_and_the_others_are_still_checked(run_nbval, tmp_path):
    ended = tmp_path / "ended"
    done = run_nbval(
        broken="{not json",
        julia=[cell("x = 1")],
        some=[
            cell(f"import atexit, pathlib; _ = atexit.register(pathlib.Path({str(ended)!r}).touch)"),
            new_markdown_cell("Words."),
            cell(SOURCE, "loss 0.504\n", count=2, tolerance="1%"),
            cell(SOURCE, "loss 0.506\n", count=3, tolerance="1%"),
            cell("1 / 0", count=4),
            cell("print(1)", count=None),
        ],
    )
    assert done.returncode == 1
    for line in (
        "notebooks/en/broken.ipynb: cannot be read: it is no JSON with cells (Expecting property name",
        "notebooks/en/julia.ipynb: no kernel named 'julia' on this machine",
        "notebooks/en/some.ipynb, code cell 3: Cell outputs differ",
        "  expected:  loss 0.506\n  got:       loss 0.5\n  tolerance: integers and text exactly, other",
        "code cell 4: Cell execution caused an exception\nZeroDivisionError: division by zero\n",
        "notebooks/en/some.ipynb, code cell 5: never executed",
        "3 failed, 2 passed, 2 errors",
    ):
        assert line in done.stdout, done.stdout
    failures, _, summary = done.stdout.partition("short test summary info")  # under CI=1 pytest repeats them there
    assert re.findall(r"^FAILED \S*some.ipynb::(code cell \d)", summary, re.MULTILINE)[0] == "code cell 3"
    for words in ("./ci/book.sh refresh\n  a number", "or print it with fewer digits\n  words"):
        assert failures.count(words) == 1  # only for the cell whose outputs differ
    assert ended.exists()  # the kernel was let to end what it has started


def test_the_time_limit_of_a_cell_is_that_of_the_book():
    settings = (here().root / "pyproject.toml").read_text(encoding="utf-8")
    assert f"--nbval-cell-timeout={here().cell_timeout}" in settings


@pytest.mark.slow
def test_cells_that_kill_the_kernel_or_never_end_have_one_clear_line(run_nbval):
    done = run_nbval(
        "--nbval-cell-timeout=8",
        forever=[cell("while True:\n    pass")],
        killed=[cell("import os\nos.kill(os.getpid(), 9)")],
    )
    assert "notebooks/en/forever.ipynb, code cell 1: not finished after 8.0 seconds" in done.stdout
    assert "notebooks/en/killed.ipynb, code cell 1: the kernel died" in done.stdout


# With --executed: the notebook of the small book, compared with an execution.

WARNING = new_output("stream", name="stderr", text="a warning\n")
ERROR = new_output("error", ename="ValueError", evalue="no", traceback=["ValueError: no"])


PRINTED = new_output("stream", name="stdout", text="loss 0.5 of three\n")
OUTPUTS = [PRINTED, WARNING, new_output("execute_result", data={"text/plain": "2"}, execution_count=1)]


def printed(text):
    """The outputs with another text printed."""
    return [new_output("stream", name="stdout", text=text), *OUTPUTS[1:]]


EXECUTION = {"execution_seconds": 1.5}  # the data of an entry of the cache; a chapter that failed has none


@pytest.fixture
def stored(book):
    """Stores outputs in the cells of the notebook, whose executions had `OUTPUTS`; returns its path."""
    path = book.notebook(CHAPTER, "en")
    path.parent.mkdir(parents=True)

    def stored(*outputs, entry=EXECUTION):
        with book.source(CHAPTER).open("a", encoding="utf-8") as file:
            file.write("\n```{code-cell}\nx\n```\n" * (len(outputs) - 2))
        chapter = read(book, CHAPTER)
        for count, cell in enumerate(code_cells(chapter), start=1):
            cell.execution_count, cell.outputs = count, deepcopy(OUTPUTS)
        if entry is not None:
            executed(book).path.mkdir(parents=True, exist_ok=True)
            executed(book).store(chapter, CHAPTER, entry | {"code": code_digest(chapter)})
        for cell, own in zip(code_cells(chapter), outputs, strict=True):
            cell.outputs = own
        nbformat.write(chapter, path)
        return path

    return stored


CASES = {
    "as executed": (OUTPUTS, ""),
    "a number within its tolerance": (printed("loss 0.5000000001 of three\n"), ""),
    "another number": (printed("loss 0.6 of three\n"), "expected:  loss 0.6 of three"),
    "a lost warning": ([OUTPUTS[0], *OUTPUTS[2:]], "expected:  stdout 'loss 0.5 of three\\n', execute_result"),
    "an error": ([*OUTPUTS, ERROR], "execute_result, error\n"),
}


def test_stored_outputs_are_compared_with_the_execution(book, stored, validate):
    reports = validate(book, stored(*(outputs for outputs, _said in CASES.values())), nbval.EXECUTED)
    for number, (case, (_outputs, said)) in enumerate(CASES.items(), start=1):
        name = f"code cell {number}"
        assert reports.outcomes[name] == ("failed" if said else "passed"), case
        assert said in reports.said[name], case
        assert said == "" or f"one.ipynb, {name}: Cell outputs differ" in reports.said[name], case


@pytest.mark.parametrize("entry", [None, {}], ids=["not in the cache", "failed"])
def test_a_chapter_that_was_not_executed_is_a_failure_with_a_reason(book, stored, validate, entry):
    reports = validate(book, stored(OUTPUTS, OUTPUTS, entry=entry), nbval.EXECUTED)
    assert reports.outcomes == {"collection": "failed"}
    assert "notebooks/en/part/one.ipynb: its chapter was not executed" in reports.said["collection"]


def test_a_notebook_with_other_code_than_its_chapter_is_a_failure_with_a_reason(book, stored, validate, edit):
    path = stored(OUTPUTS, OUTPUTS)
    edit(path, "x = 1 + 1", "x = 2")
    said = validate(book, path, nbval.EXECUTED).said["collection"]
    assert f"notebooks/en/part/one.ipynb: it has other code than {CHAPTER}.md: run ./ci/book.sh refresh" in said


def test_a_difference_that_the_environment_announces_is_expected(book, stored, validate):
    row = '[colab]\npython = "3.13"\npackages = []\nannounced = ["loss 0.5 of three"]\n'
    (book.root / "book" / "environments.toml").write_text(row)
    path = stored(printed("loss 0.6 of three\n"), printed("loss 0.7 of three\n"))
    assert set(validate(book, path, nbval.EXECUTED).outcomes.values()) == {"failed"}
    assert set(validate(book, path, nbval.EXECUTED, nbval.ENVIRONMENT, "colab").outcomes.values()) == {"skipped"}
