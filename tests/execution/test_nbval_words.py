"""Whoever sees a comparison fail learns which cell it is, by the number Jupyter counts, and what to do."""

import re
import shutil
import subprocess
import sys

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from ci.book import here


def test_a_cell_that_differs_is_counted_as_in_the_message_and_the_remedy_is_named(tmp_path):
    folder = tmp_path / "notebooks" / "en"
    folder.mkdir(parents=True)
    shutil.copy(here().root / "notebooks" / "conftest.py", folder.parent)
    output = new_output("stream", text="0.25\n")
    cells = [
        new_code_cell("x = 1", execution_count=1),
        new_markdown_cell("Words."),
        new_code_cell("print(0.5)", execution_count=2, outputs=[output]),
        new_code_cell("1 / 0", execution_count=3),
    ]
    kernel = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernel}), folder / "one.ipynb")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", tmp_path, "--nbval", folder]
    done = subprocess.run(command, cwd=here().root, capture_output=True, text=True)
    assert re.findall(r"^FAILED \S*notebooks/en/one.ipynb::(code cell \d)", done.stdout, re.MULTILINE) == [
        "code cell 2",
        "code cell 3",
    ]
    assert "notebooks/en/one.ipynb, code cell 2: Cell outputs differ" in done.stdout
    failures, _, summary = done.stdout.partition("short test summary info")  # under CI=1 pytest repeats them there
    assert summary
    for words in ("./ci/book.sh refresh", "# Numbers may differ by 1 %.", "a verdict with a margin"):
        assert failures.count(words) == 1  # not for the cell that raises
    assert "2 failed, 1 passed" in done.stdout
