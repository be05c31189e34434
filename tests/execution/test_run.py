import asyncio
import os
import signal

import pytest

from ci.book import BookError
from ci.execution import compiled, run
from ci.execution.cache import code_cells, executed
from ci.execution.kernel import CellError, DeadKernel
from ci.execution.run import run_interruptibly

ONE, TWO = "book/part/one", "book/part/two"
LAST = "```{code-cell}\nx\n"


# Where ipykernel's thread copies to what is written to stderr, if the kernel lives long enough.
STDERR = "sys.stderr._original_stdstream_copy"
KILLED = f"import os, sys; os.write({STDERR}, b'no space left'); os._exit(1)"


def died():
    return DeadKernel("{name}: the kernel died", name=ONE)


def cached(book):
    return [name for name in book.chapters if (entry := executed(book).fetch(name)) and entry.was_executed]


def test_a_chapter_is_executed_once_in_a_kernel_without_ports(book, execute, edit):
    transport = "from ipykernel.kernelapp import IPKernelApp; assert IPKernelApp.instance().transport == 'ipc'"
    edit(book.source(ONE), LAST, f"```{{code-cell}}\n{transport}\nx\n")
    (result,) = execute()
    assert (result.chapter, result.cells, result.source) == (ONE, 2, "executed")
    notebook, data = executed(book).fetch(ONE)
    first, second = code_cells(notebook)
    assert first.outputs[0].text == "two is 2\n"
    assert second.outputs[0].data["text/plain"] == "2"
    assert 0 < data["execution_seconds"] == result.seconds
    assert data["environment"]["cores"] >= 1
    assert [result.source == "executed" for result in execute()] == [False]


@pytest.mark.parametrize(
    "code, error, said",
    [
        ("x / 0", CellError, "code cell 2: ZeroDivisionError: division by zero"),
        (KILLED, DeadKernel, "code cell 2: the kernel died (out of memory, or ended by the cell?)"),
        ("exit", BookError, "code cell 2: it ends the kernel of its reader: take exit or quit out"),
        ("import sys; sys.exit(0)", CellError, "code cell 2: SystemExit: 0"),
    ],
    ids=["raises", "kills the kernel", "ends it by a word", "ends it by an error"],
)
def test_a_cell_that_fails_is_named_with_the_reason(book, execute, edit, capfd, code, error, said):
    edit(book.source(ONE), LAST, f"```{{code-cell}}\n{code}\n")
    with pytest.raises(error) as caught:
        execute()
    assert str(caught.value).splitlines()[0] == f"{ONE}, {said}"
    assert ("no space left" in str(caught.value)) == (error is DeadKernel)
    assert "no space left" not in capfd.readouterr().err


@pytest.mark.parametrize("code", ["", "# a comment alone"])
def test_a_cell_without_code_is_executed(book, execute, edit, code):
    edit(book.source(ONE), LAST, f"```{{code-cell}}\n{code}\n")
    assert [result.source for result in execute()] == ["executed"]


def test_a_cell_that_never_ends_is_named(book, execute, edit):
    edit(book.root / "_config.yml", "timeout: 60", "timeout: 1")
    edit(book.source(ONE), "x = 1 + 1", "import time; time.sleep(600)")
    with pytest.raises(BookError, match=f"^{ONE}, code cell 1: not finished after 1 seconds"):
        execute()


@pytest.mark.parametrize(
    "old, new",
    [
        ("Some text.", "Some other text."),
        (LAST, "```{code-cell}\n:tags: [hide-input]\n\nx\n"),
        (LAST, "```{code-cell}\n---\nmystnb:\n  image:\n    alt: A two\n---\nx\n"),
    ],
    ids=["prose", "a tag of the page", "a figure's description"],
)
def test_an_edit_that_no_output_depends_on_executes_nothing(book, kernels, execute, edit, old, new):
    execute()
    edit(book.source(ONE), old, new)
    assert [result.source == "executed" for result in execute()] == [False]
    assert kernels.runs == [ONE]


@pytest.mark.parametrize(
    "file, old, new",
    [(f"{ONE}.md", "x = 1 + 1", "x = 2"), ("flaxbook/data.py", "1", "2"), ("requirements.txt", "jax==0", "jax==1")],
    ids=["code", "helper module", "packages"],
)
def test_an_edit_that_outputs_depend_on_executes_again(book, kernels, execute, edit, file, old, new):
    execute()
    edit(book.root / file, old, new)
    assert [result.source == "executed" for result in execute()] == [True]
    assert kernels.runs == [ONE, ONE]


def test_a_chapter_whose_kernel_dies_is_executed_once_more_when_the_others_have_ended(two, kernels, execute, capsys):
    kernels.errors[ONE] = [died()]
    assert [(result.chapter, result.source) for result in execute()] == [(ONE, "executed"), (TWO, "executed")]
    assert kernels.runs == [ONE, TWO, ONE]
    assert kernels.beside == {ONE: set(), TWO: {ONE}}
    assert f"{ONE}: the kernel died: executed once more, alone" in capsys.readouterr().out


def test_no_more_kernels_run_at_a_time_than_allowed(two, kernels, execute):
    execute(at_a_time=1)
    assert kernels.beside == {ONE: set(), TWO: set()}


@pytest.mark.parametrize("errors", [[died(), died()], [BookError("it raises")]], ids=["dies twice", "raises"])
def test_one_that_fails_has_the_outputs_of_its_notebook_if_the_others_keep_going(two, store, kernels, execute, errors):
    store(ONE)
    kernels.errors[ONE] = list(errors)
    failed, fine = execute(keep_going=True)
    assert (failed.error, failed.source) == (errors[-1], "failed")
    assert (fine.error, fine.source) == (None, "executed")
    assert kernels.runs.count(ONE) == len(errors)
    entry = executed(two).fetch(ONE)
    assert {cell.outputs[0].text for cell in code_cells(entry.notebook)} == {"as stored\n"}
    assert cached(two) == [TWO]
    assert [result.source == "executed" for result in execute()] == [True, False]


def test_the_errors_of_chapters_are_returned_with_the_folder_of_the_cache(two, store, kernels, monkeypatch, capsys):
    store(ONE)
    error = BookError("it raises")
    kernels.errors[ONE] = [error]
    assert run.execute(two, keep_going=True) == (executed(two).path, [error])
    assert "2 cells executed" in capsys.readouterr().out


def test_programs_that_a_dying_kernel_may_have_left_half_written_are_forgotten(two, kernels, execute, monkeypatch):
    compiled.begin(two)
    half_written, present = compiled.folder(two) / "a-cache", []
    half_written.touch()
    kernels.errors[ONE] = [died()]
    begin = kernels.run

    async def look(*args, **options):
        present.append(half_written.exists())
        return await begin(*args, **options)

    monkeypatch.setattr("ci.execution.kernel.run", look)
    execute()
    assert present == [True, True, False]


def test_ctrl_c_cancels_what_runs_and_waits_until_it_has_ended():
    ended = []

    async def work():
        try:
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(600)
        finally:
            await asyncio.sleep(0)  # as a kernel that takes a while to end
            ended.append(True)

    with pytest.raises(KeyboardInterrupt):
        run_interruptibly(work())
    assert ended == [True]
