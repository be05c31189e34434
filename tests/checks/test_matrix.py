import subprocess
import sys
from pathlib import Path

import pytest

from ci.checks import left, matrix

NOTHING = "left: 0 processes, 0 ports, 0 files, 0 segments of shared memory"
SHAPES = [f"1-{name}-{cores}" for cores in matrix.CORES for name in matrix.SHAPES]


@pytest.fixture(autouse=True)
def shared_memory(tmp_path, monkeypatch):
    """Keeps that of other processes out."""
    monkeypatch.setattr(left, "SHARED", tmp_path / "shm")
    left.SHARED.mkdir()


@pytest.fixture
def machines(book, monkeypatch):
    """Stands for the machines; returns a list of (command, options) and the set of those that shall fail."""
    ran, failing = [], set()

    monkeypatch.setattr(matrix.run, "prepare_data", lambda: None)

    def run(command, *, stdout, **options):
        ran.append((command, options))
        fails = (command[2], options["env"].get("XLA_FLAGS")) in failing
        stdout.write(b"a line\n1 failed\n" if fails else b"a line\n3 passed\n")
        return int(fails)

    monkeypatch.setattr(matrix.processes, "run", run)
    return ran, failing


def test_every_shape_of_a_machine_validates_the_notebooks(book, machines, capsys):
    assert matrix.report(book, 1) == 0
    assert capsys.readouterr().out.splitlines() == [
        *(f"{shape}: 3 passed" for shape in SHAPES),
        f"0 of 8 failed; {NOTHING}",
    ]
    ran = machines[0]
    assert all("--nbval" in command and command[-1] == "notebooks/en" for command, _ in ran)
    assert {command[2] for command, _ in ran} == {"0-0", "0-1"}
    for environment in matrix.SHAPES.values():
        assert sum(environment.items() <= options["env"].items() for _, options in ran) == len(matrix.CORES)
    assert all(options["env"][matrix.DATA] and options["cwd"] == book.root for _, options in ran)


def test_another_python_executes_the_cells_in_every_shape(book, machines, monkeypatch):
    made = []
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    monkeypatch.setattr(matrix.Environment, "install", lambda environment: made.append(environment))
    assert matrix.report(book, 1, python="3.13") == 0
    (environment,) = made
    assert (environment.python, environment.packages) == ("3.13", book.root / "requirements.txt")
    for command, options in machines[0]:
        assert command[-3:-1] == ["--nbval-kernel-name", "python-3.13"]
        assert options["env"]["JUPYTER_PATH"] == str(book.built("python-3.13", "share", "jupyter"))
        assert "PYTHONPATH" not in options["env"]
    assert len(machines[0]) == len(SHAPES)


def test_a_shape_that_fails_is_named_with_its_log(book, machines, capsys):
    machines[1].add(("0-1", matrix.SHAPES["avx"]["XLA_FLAGS"]))
    assert matrix.report(book, 2) == 1
    said = capsys.readouterr().out.splitlines()
    assert [line for line in said if "see" in line] == [
        f"{number}-avx-2: 1 failed, see _build/matrix/{number}-avx-2.log" for number in (1, 2)
    ]
    assert (len(said), said[-1]) == (2 * len(SHAPES) + 1, f"2 of 16 failed; {NOTHING}")
    assert (book.root / "_build/matrix/1-avx-2.log").read_text() == "a line\n1 failed\n"


def test_one_chapter_is_validated_often_on_one_machine(book, machines, capsys):
    assert matrix.report(book, 3, [book.chapters[0]]) == 0
    ran = machines[0]
    assert {command[-1] for command, _ in ran} == {book.relative(book.notebook(book.chapters[0], "en"))}
    assert [command[2] for command, _ in ran] == ["0-0", "0-1"] * 3
    assert capsys.readouterr().out.splitlines()[-1] == f"0 of 6 failed; {NOTHING}"


LISTENS = """
import socket, time
s = socket.create_server(("127.0.0.1", 0))
print(s.getsockname()[1], flush=True)
time.sleep(60)
"""


def test_what_a_validation_leaves_is_named(book, capsys, monkeypatch):
    started = []

    def run(command, *, stdout, env, **options):
        Path(env["TMPDIR"], "forgotten").touch()
        (left.SHARED / "segment").touch()
        started.append(subprocess.Popen([sys.executable, "-c", LISTENS], env=env, stdout=subprocess.PIPE, text=True))
        stdout.write(b"1 passed\n")
        return 0

    monkeypatch.setattr(matrix.run, "prepare_data", lambda: None)
    monkeypatch.setattr(matrix.processes, "run", run)
    monkeypatch.setattr(matrix, "CORES", (1,))
    monkeypatch.setattr(left, "PATIENCE", 1)
    try:
        assert matrix.report(book, 1, [book.chapters[0]]) == 1
        (process,) = started
        port = process.stdout.readline().strip()
    finally:
        for process in started:
            process.kill()
            process.communicate()
    line, last = capsys.readouterr().out.splitlines()
    assert line.startswith(f"1-native-1: 1 passed; left processes: {process.pid} {sys.executable} -c import socket, ")
    assert line.endswith(f"; left ports: {port}; left files: forgotten; left segments of shared memory: segment")
    assert last == "0 of 1 failed; left: 1 processes, 1 ports, 1 files, 1 segments of shared memory"
