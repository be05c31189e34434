import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from ci.book import BookError, here
from ci.checks import colab


def packages():
    lines = colab.PACKAGES.read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if not line.startswith("#"))


def test_the_image_is_the_one_in_which_tfds_cannot_be_imported():
    image = packages()
    assert (image["protobuf"], image["tensorflow-metadata"]) == ("5.29.6", "1.21.0")


def test_what_the_package_needs_is_in_the_image():
    names = {name.lower().replace("_", "-") for name in packages()}
    text = (here().root / "pyproject.toml").read_text(encoding="utf-8")
    needed = text.split("dependencies = [", 1)[1].split("]", 1)[0].replace('"', "").replace(",", "").split()
    assert needed and names >= set(needed)


FAILURE = (
    "full_eval.ipynb, code cell 31: Cell outputs differ\ntext line 1\n  expected:  a\n  got:       {}\n  tolerance"
)


@pytest.mark.parametrize(
    "got, count", [("optimizer owns head gradients of all  ValueError", 0), ("axes by default: None", 1), ("a", 1)]
)
def test_only_what_is_announced_may_fail(got, count, tmp_path):
    report = tmp_path / "report.xml"
    text = FAILURE.format(got)
    report.write_text(f"<testsuite><testcase/><testcase><failure>{text}</failure></testcase></testsuite>")
    assert colab.unexpected(report) == count


@pytest.fixture
def kernel_of_this_python(book, monkeypatch):
    def install(environment):
        command = [sys.executable, "-m", "ipykernel", "install", "--prefix", environment.folder, "--name", "colab"]
        subprocess.run(command, check=True, capture_output=True)

    monkeypatch.setattr(colab.Environment, "install", install)
    (book.root / "_build").mkdir()
    return book


@pytest.mark.parametrize("chapters", [(), ("book/part/one",)])
@pytest.mark.parametrize(
    "stored, status, line", [("1 None\n", 0, "1 passed, 0 failed"), ("2\n", 1, "0 passed, 1 failed")]
)
def test_notebooks_run_in_the_kernel_of_the_image_without_the_paths_of_the_book(
    stored, status, line, chapters, kernel_of_this_python, monkeypatch, capfd
):
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    source = "import os\nprint(1, os.environ.get('PYTHONPATH'))"
    cell = new_code_cell(source, outputs=[new_output("stream", name="stdout", text=stored)], execution_count=1)
    folder = kernel_of_this_python.root / "notebooks" / "en" / "part"
    folder.mkdir(parents=True)
    kernel = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(new_notebook(cells=[cell], metadata={"kernelspec": kernel}), folder / "one.ipynb")
    assert colab.run(kernel_of_this_python, chapters) == status
    assert f"Colab's packages: {line}, 0 skipped" in capfd.readouterr().out


def test_without_its_python_the_reason_is_one_line(book, monkeypatch):
    monkeypatch.setenv("UV_PYTHON_DOWNLOADS", "never")
    environment = colab.Environment(book, "colab", "3.99", colab.PACKAGES)
    with pytest.raises(BookError, match=r"^there is no Python 3.99: install it \(error: .*\)$"):
        environment.install()
