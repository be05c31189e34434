"""nbval as a reader runs it, and as CI runs it: compared with the execution in the cache."""

import base64
import io
import os
import re
import subprocess
import sys
from copy import deepcopy

import nbformat
import psutil
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from ci.book import here
from ci.execution import nbval
from ci.execution.cache import code_cells, code_digest, executed, read

CHAPTER = "book/part/one"
SOURCE = "# Numbers may differ by 1 %.\nprint('loss', 0.5)"


def cell(source, printed=None, count=1):
    outputs = [new_output("stream", name="stdout", text=printed)] if printed else []
    return new_code_cell(source, execution_count=count, outputs=outputs)


def processes(mark):
    """The processes that a run with this mark in its environment has left."""
    found = psutil.process_iter(["cmdline", "environ"])
    return [
        process.info["cmdline"] for process in found if (process.info["environ"] or {}).get("FLAXBOOK_TEST") == mark
    ]


@pytest.fixture
def run_nbval(tmp_path):
    """Runs nbval as a reader does on notebooks, {name: cells, or text}; no process may be left behind."""
    folder = tmp_path / "notebooks" / "en"
    folder.mkdir(parents=True)
    marked = os.environ | {"FLAXBOOK_TEST": str(tmp_path)}
    (folder.parent / "conftest.py").write_text((here().root / "notebooks" / "conftest.py").read_text())

    def run_nbval(*options, **notebooks):
        for name, cells in notebooks.items():
            kernel = {"name": "julia" if name == "julia" else "python3", "display_name": "A kernel"}
            notebook = new_notebook(cells=[] if isinstance(cells, str) else cells, metadata={"kernelspec": kernel})
            text = cells if isinstance(cells, str) else nbformat.writes(notebook)
            (folder / f"{name}.ipynb").write_text(text)
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", tmp_path, "--nbval", folder]
        done = subprocess.run(
            [*command, *options], cwd=here().root, env=marked, capture_output=True, text=True, check=False
        )
        assert processes(marked["FLAXBOOK_TEST"]) == []
        return done

    return run_nbval


def test_each_thing_that_goes_wrong_has_one_clear_line_and_the_others_are_still_checked(run_nbval, tmp_path):
    ended = tmp_path / "ended"
    done = run_nbval(
        "--nbval-cell-timeout=8",
        broken="{not json",
        fine=[
            cell(f"import atexit, pathlib; _ = atexit.register(pathlib.Path({str(ended)!r}).touch)"),
            new_markdown_cell("Words."),
            cell(SOURCE, "loss 0.504\n", count=2),
        ],
        forever=[cell("while True:\n    pass")],
        julia=[cell("x = 1")],
        killed=[cell("import os\nos.kill(os.getpid(), 9)")],
        other=[new_markdown_cell("Words."), cell("x = 1"), cell(SOURCE, "loss 0.506\n", count=2)],
        raising=[cell("1 / 0")],
        unrun=[cell("print(1)", count=None)],
    )
    assert done.returncode == 1
    for line in (
        "notebooks/en/broken.ipynb: Notebook does not appear to be JSON",
        "notebooks/en/forever.ipynb, code cell 1: Timeout of 8 seconds exceeded",
        "notebooks/en/julia.ipynb: no kernel named 'julia' on this machine",
        "notebooks/en/killed.ipynb, code cell 1: the kernel died",
        "notebooks/en/other.ipynb, code cell 2: Cell outputs differ",
        "  expected:  loss 0.506\n  got:       loss 0.5\n  tolerance: integers and text exactly, other",
        "notebooks/en/raising.ipynb, code cell 1: Cell execution caused an exception",
        "notebooks/en/unrun.ipynb, code cell 1: never executed",
        "6 failed, 3 passed, 1 error",
    ):
        assert line in done.stdout, done.stdout
    failures, _, summary = done.stdout.partition("short test summary info")  # under CI=1 pytest repeats them there
    assert re.findall(r"^FAILED \S*other.ipynb::(code cell \d)", summary, re.MULTILINE) == ["code cell 2"]
    for words in (
        "./ci/book.sh refresh\n  a number",
        "# Numbers may differ by 1 %.\n  words",
        "a verdict with a margin",
    ):
        assert failures.count(words) == 1  # only for the cell whose outputs differ
    assert ended.exists()  # the kernel was let to end what it has started


# With --executed: the notebook of the small book, compared with an execution.

WARNING = new_output("stream", name="stderr", text="a warning\n")
ERROR = new_output("error", ename="ValueError", evalue="no", traceback=["ValueError: no"])


def picture(colour):
    """A PNG of one colour, as notebooks have it."""
    content = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(content, "png")
    return base64.b64encode(content.getvalue()).decode()


def figure(colour):
    return new_output("display_data", data={"image/png": picture(colour), "text/plain": "<Figure>"})


PRINTED = new_output("stream", name="stdout", text="loss 0.5 of three\n")
OUTPUTS = [PRINTED, WARNING, figure("red"), new_output("execute_result", data={"text/plain": "2"}, execution_count=1)]


def changed(number, **values):
    """The outputs with one of them changed."""
    outputs = deepcopy(OUTPUTS)
    outputs[number].update(values)
    return outputs


@pytest.fixture
def stored(book):
    """Stores outputs in the notebook of the chapter, whose execution had `OUTPUTS`; returns the path."""
    chapter = read(book, CHAPTER)
    path = book.notebook(CHAPTER, "en")
    path.parent.mkdir(parents=True)

    def stored(outputs, was_executed=True):
        for count, one in enumerate(code_cells(chapter), start=1):
            one.execution_count, one.outputs = count, deepcopy(OUTPUTS) if count == 1 else []
        if was_executed:
            executed(book).path.mkdir(parents=True, exist_ok=True)
            executed(book).store(chapter, CHAPTER, {"execution_seconds": 1.5, "code": code_digest(chapter)})
        code_cells(chapter)[0].outputs = outputs
        nbformat.write(chapter, path)
        return path

    return stored


@pytest.mark.parametrize(
    "outputs, said",
    [
        (OUTPUTS, ""),
        (changed(0, text="loss 0.5000000001 of three\n"), ""),
        (changed(0, text="loss 0.6 of three\n"), "expected:  loss 0.6 of three"),
        (changed(0, text="loss 0.5 of four\n"), "expected:  loss 0.5 of four"),
        (OUTPUTS[1:], "expected:  stderr 'a warning\\n', display_data, execute_result"),
        ([OUTPUTS[0], *OUTPUTS[2:]], "expected:  stdout 'loss 0.5 of three\\n', display_data, execute_result"),
        ([*OUTPUTS, figure("red")], "execute_result, display_data\n"),
        ([OUTPUTS[2], *OUTPUTS[:2], OUTPUTS[3]], "expected:  display_data, stdout"),
        (changed(2, data=figure("blue").data), "image/png: "),
        ([*OUTPUTS, ERROR], "execute_result, error\n"),
        (changed(3, data={"text/plain": "3"}), "expected:  3"),
    ],
    ids=[
        "as executed",
        "a number within its tolerance",
        "another number",
        "another text",
        "a lost output",
        "a lost warning",
        "an added output",
        "another order",
        "another figure",
        "an error",
        "another result",
    ],
)
def test_stored_outputs_are_compared_with_the_execution(book, stored, validate, outputs, said):
    reports = validate(book, stored(outputs), nbval.EXECUTED)
    assert reports.outcomes == {"code cell 1": "failed" if said else "passed", "code cell 2": "passed"}
    assert said in reports.said
    assert ("notebooks/en/part/one.ipynb, code cell 1: Cell outputs differ" in reports.said) == bool(said)


def test_a_chapter_that_was_not_executed_is_a_failure_with_a_reason(book, stored, validate):
    reports = validate(book, stored(OUTPUTS, was_executed=False), nbval.EXECUTED)
    assert reports.outcomes == {"not validated": "failed"}
    assert "notebooks/en/part/one.ipynb: its chapter was not executed" in reports.said


def test_a_notebook_with_other_code_than_its_chapter_is_a_failure_with_a_reason(book, stored, validate, edit):
    path = stored(OUTPUTS)
    edit(path, "x = 1 + 1", "x = 2")
    reports = validate(book, path, nbval.EXECUTED)
    assert reports.outcomes == {"not validated": "failed"}
    assert (
        f"notebooks/en/part/one.ipynb: it has other code than {CHAPTER}.md: run ./ci/book.sh refresh" in reports.said
    )


def test_a_cell_that_was_never_executed_is_a_failure_also_then(book, stored, validate):
    path = stored(OUTPUTS)
    notebook = nbformat.read(path, as_version=4)
    code_cells(notebook)[1].execution_count = None
    nbformat.write(notebook, path)
    reports = validate(book, path, nbval.EXECUTED)
    assert reports.outcomes == {"code cell 1": "passed", "code cell 2": "failed"}
    assert "code cell 2: never executed" in reports.said
