"""nbval with our comparison, really run on a notebook in a project of its own."""

import os
import subprocess
import sys

import nbformat
import psutil
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from ci.book import here

SOURCE = "# Numbers may differ by 1 %.\nprint('loss', 0.5)"


CODE = {"name": "python3", "display_name": "Python 3"}


def cell(source, printed=None, count=1):
    outputs = [new_output("stream", name="stdout", text=printed)] if printed else []
    return new_code_cell(source, execution_count=count, outputs=outputs)


@pytest.fixture
def validate(tmp_path):
    """Writes notebooks, {name: cells or text}, and runs nbval on them; no process may be left behind."""
    folder = tmp_path / "notebooks" / "en"
    folder.mkdir(parents=True)
    marked = os.environ | {"FLAXBOOK_TEST": str(tmp_path)}
    (folder.parent / "conftest.py").write_text((here().root / "notebooks" / "conftest.py").read_text())

    def run(kernel="python3", *options, **notebooks):
        for name, cells in notebooks.items():
            file = folder / f"{name}.ipynb"
            if isinstance(cells, str):
                file.write_text(cells)
            else:
                nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": CODE | {"name": kernel}}), file)
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", tmp_path, "--nbval", folder]
        done = subprocess.run(
            [*command, *options], cwd=here().root, env=marked, capture_output=True, text=True, check=False
        )
        assert processes(marked["FLAXBOOK_TEST"]) == []
        return done

    return run


def processes(mark):
    """The processes that a run with this mark in its environment has left."""
    found = psutil.process_iter(["cmdline", "environ"])
    return [
        process.info["cmdline"] for process in found if (process.info["environ"] or {}).get("FLAXBOOK_TEST") == mark
    ]


def test_a_number_within_the_declared_tolerance_passes(validate):
    done = validate(one=[cell(SOURCE, "loss 0.504\n")])
    assert done.returncode == 0, done.stdout


def test_a_kernel_needs_no_port_that_another_process_could_take_before_it(validate):
    transport = "from ipykernel.kernelapp import IPKernelApp; print(IPKernelApp.instance().transport)"
    done = validate(one=[cell(transport, "ipc\n")])
    assert done.returncode == 0, done.stdout


def test_a_kernel_ends_what_it_has_started(validate, tmp_path):
    ends = f"import atexit, pathlib; _ = atexit.register(pathlib.Path({str(tmp_path / 'ended')!r}).touch)"
    done = validate(one=[cell(ends), cell("1 / 0")])
    assert done.returncode == 1 and (tmp_path / "ended").exists(), done.stdout


def test_a_number_beyond_it_fails_and_the_message_says_all(validate):
    done = validate(one=[cell(SOURCE, "loss 0.506\n")])
    assert done.returncode == 1
    for part in ("notebooks/en/one.ipynb, code cell 1", "expected:  loss 0.506", "got:       loss 0.5", "0.01"):
        assert part in done.stdout


def test_each_thing_that_goes_wrong_has_one_clear_line_and_the_others_are_still_checked(validate):
    done = validate(
        "python3",
        "--nbval-cell-timeout=3",
        broken="{not json",
        fine=[cell("x = 1"), cell("print(x)", "1\n", count=2)],
        forever=[cell("while True:\n    pass")],
        killed=[cell("import os\nos.kill(os.getpid(), 9)")],
        raising=[cell("1 / 0")],
        unrun=[cell("print(1)", count=None)],
    )
    assert done.returncode == 1
    for line in (
        "notebooks/en/broken.ipynb: Notebook does not appear to be JSON",
        "notebooks/en/forever.ipynb, code cell 1: Timeout of 3 seconds exceeded",
        "notebooks/en/killed.ipynb, code cell 1: the kernel died",
        "notebooks/en/raising.ipynb, code cell 1: Cell execution caused an exception",
        "notebooks/en/unrun.ipynb, code cell 1: never executed",
        "5 failed, 2 passed",
    ):
        assert line in done.stdout, done.stdout


def test_a_kernel_that_is_not_installed_is_named(validate):
    done = validate("julia", one=[cell("x = 1")])
    assert done.returncode == 1
    assert "notebooks/en/one.ipynb: no kernel named 'julia' on this machine" in done.stdout
