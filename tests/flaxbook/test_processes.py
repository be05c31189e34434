"""The launcher, with real processes of JAX where these matter."""

import functools
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

import psutil
import pytest

from flaxbook import processes

CONNECTED = """
import sys
import jax
from jax.experimental import multihost_utils
import numpy as np

jax.distributed.initialize()
total = multihost_utils.process_allgather(np.array(jax.process_index() + 1)).sum()
print(sys.argv[1], jax.process_index(), jax.process_count(), jax.local_device_count(), jax.device_count(), total)
"""
SLEEPS = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print("started", flush=True)
time.sleep(600 if "and waits" in sys.argv else 0)
"""
GREETING = "[Gloo] Rank 1 is connected to 1 peer ranks. Expected number of connected peer ranks is : 1"
LAUNCHER = (
    "import sys; from flaxbook import processes; processes.launch(*sys.argv[1:2], 2, *sys.argv[2:], deadline=600)"
)
MARK = "FLAXBOOK_TEST"
launch = functools.partial(processes.launch, deadline=300)  # a busy machine is slow


@pytest.fixture
def temporary(monkeypatch, tmp_path):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture(autouse=True)
def nothing_left(monkeypatch, temporary):
    """Nothing that a test has launched may outlive it, nor may its folder."""
    monkeypatch.setenv(MARK, str(temporary))
    yield
    until(lambda: not marked(temporary))  # a killed process ends some time after the signal
    assert marked(temporary) == []
    assert list(temporary.iterdir()) == []


def marked(folder):
    """The processes with this mark in their environment, but for this one."""
    found = [process.info for process in psutil.process_iter(["pid", "environ", "cmdline", "status"])]
    return [
        info["cmdline"]
        for info in found
        if (info["environ"] or {}).get(MARK) == str(folder) and info["pid"] != os.getpid()
    ]


def until(true, seconds=300):
    """Waits until something is true."""
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.05)
    assert true()


@pytest.fixture
def program(tmp_path):
    """Writes a program; returns its path."""

    def program(text, name="program.py"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return program


@pytest.mark.parametrize("count, devices", [(2, 2), pytest.param(4, 1, marks=pytest.mark.slow)])
def test_the_processes_find_each_other_and_exchange_data(program, capsys, monkeypatch, count, devices):
    for name in ("OMPI_MCA_orte_hnp_uri", "SLURM_NTASKS", "JAX_COORDINATOR_BIND_ADDRESS", "https_proxy"):
        monkeypatch.setenv(name, "elsewhere:1")
    found = launch(program(CONNECTED), count, "word", devices=devices)
    total, every = count * (count + 1) // 2, count * devices
    assert [process.output for process in found] == [
        f"word {rank} {count} {devices} {every} {total}\n" for rank in range(count)
    ]
    assert {(process.ended, process.waits, process.stack) for process in found} == {("ended", "", ())}
    processes.show(found)
    assert capsys.readouterr().out.splitlines()[1] == f"[1] word 1 {count} {devices} {every} {total}"


def test_a_function_is_called_in_each_process_and_its_values_come_back(monkeypatch, program, tmp_path):
    program("more = 10", "beside.py")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])  # as in a notebook
    own = 5

    def gathered(first):
        import beside
        import jax
        import jax.numpy as jnp
        import numpy as np
        from jax.experimental import multihost_utils

        mine = np.array(jax.process_index() + first + own + beside.more)
        return {"gathered": multihost_utils.process_allgather(mine), "as returned": [jnp.ones(2)]}

    found = [process.value for process in launch(functools.partial(gathered, 1), 2)]
    assert [value["gathered"].tolist() for value in found] == [[16, 17], [16, 17]]
    assert all(type(value["as returned"][0]).__module__ == "numpy" for value in found)
    assert all(list(value) == ["gathered", "as returned"] for value in found)


def test_a_function_that_raises_is_named_with_its_line():
    def refuses(rows):
        raise ValueError(f"{rows} rows")

    with pytest.raises(processes.ProcessError, match="^process 0 of 1 raised ValueError: 3 rows$") as caught:
        launch(refuses, 1, 3)
    (process,) = caught.value.processes
    assert process.output.splitlines()[-1] == "ValueError: 3 rows" and "started.py" not in process.output


def test_what_cannot_be_pickled_is_said():
    lock = threading.Lock()
    with pytest.raises(TypeError, match="cannot be sent to other processes: cannot pickle"):
        launch(lambda: lock, 2)
    with pytest.raises(processes.ProcessError, match="process 0 of 1 raised TypeError: cannot pickle"):
        launch(lambda: threading.Lock(), 1)


def test_a_process_that_works_is_ended_at_the_deadline_and_not_before(program):
    (process,) = launch(program("while True: pass"), 1, deadline=4, idle=3, check=False)
    assert process.ended == "still running after 4 s"


def test_where_idle_processes_wait_is_said(program):
    text = CONNECTED.replace("total =", "total = jax.process_index()\nif total:\n    total =")
    with pytest.raises(processes.ProcessError) as caught:
        launch(program(text, "프로그램.py"), 2, "word", idle=5)
    line = "line 10: total = multihost_utils.process_allgather(np.array(jax.process_index() + 1)).sum()"
    waiting = f"process 0 after its last line: shutdown; process 1 {line}"
    assert str(caught.value) == f"2 of 2 processes still running, idle for 5 s: {waiting}"
    first, second = caught.value.processes
    assert first.ended == second.ended == "still running, idle for 5 s"
    assert (first.output, second.output) == ("word 0 2 1 2 0\n", "")
    assert [frames[-1][2] for frames in (first.stack, second.stack)] == ["clean_up", "<module>"]


def test_a_process_that_raises_is_named_and_the_others_do_not_wait_for_it(program, tmp_path):
    text = f"""
import os, subprocess, sys, time
waiting = {str(tmp_path / "waiting")!r}
if os.environ["SLURM_PROCID"] == "1":
    while not os.path.exists(waiting):
        time.sleep(0.01)
    raise ValueError("row 3\\nof 9")
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open(waiting, "w"); time.sleep(600)
"""
    with pytest.raises(processes.ProcessError, match="^process 1 of 2 raised ValueError: row 3$") as caught:
        launch(program(text), 2, grace=0.2)
    first, second = caught.value.processes
    assert first.ended == "still running 0.2 s after another had failed"
    assert first.waits == 'line 9: open(waiting, "w"); time.sleep(600)'
    traceback = second.output.splitlines()
    assert len(traceback) == 5 and 'program.py", line 7, in <module>' in traceback[1]


@pytest.mark.parametrize(
    "text, ended, printed",
    [
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "killed by SIGKILL", ""),
        ("import sys\nprint('usage')\nsys.exit(3)", "exit code 3", "usage\n"),
        ("import sys\nsys.exit('no data')", "raised SystemExit: no data", "no data\n"),
        ("raise ValueError('손실 \\udcff')", "raised ValueError: 손실 \\udcff", None),
        ("x = (", "raised SyntaxError: '(' was never closed (program.py, line 1)", None),
        (f"print({GREETING!r})\nprint('손실')", "ended", "손실\n"),
    ],
)
def test_how_a_process_ended_is_said(program, text, ended, printed):
    (found,) = launch(program(text), 1, check=False)
    assert found.ended == ended and found.failed == (ended != "ended")
    assert printed is None or found.output == printed


def test_a_program_finds_the_modules_beside_it_and_none_of_the_helper(program):
    program("value = 7", "beside.py")
    found = launch(program("import beside\nprint(beside.value)\nimport started"), 1, check=False)
    assert found[0].output.startswith("7\n")
    assert found[0].ended == "raised ModuleNotFoundError: No module named 'started'"


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_the_launcher(program, temporary, end):
    launcher = subprocess.Popen(
        [sys.executable, "-c", LAUNCHER, program(SLEEPS), "and waits"], stderr=subprocess.PIPE, text=True
    )
    until(lambda: len(marked(temporary)) == 5)  # the launcher, two processes, and one that each has started
    launcher.send_signal(end)
    said = launcher.communicate(timeout=300)[1]
    until(lambda: marked(temporary) == [])
    if end == signal.SIGINT:
        assert said.strip().endswith("KeyboardInterrupt")
    else:  # nothing could be done about its folder any more
        for folder in temporary.iterdir():
            subprocess.run(["rm", "-r", folder], check=True)


def test_what_cannot_be_started_is_said_in_one_line(program, monkeypatch, tmp_path):
    with pytest.raises(FileNotFoundError, match="no such program: .*nowhere.py"):
        launch(tmp_path / "nowhere.py", 2)
    with pytest.raises(ValueError, match="at least 1 process with 1 device, not 0 with 1"):
        launch(program("pass"), 0)
    with pytest.raises(ValueError, match="deadline is a number of seconds above 0, not -1"):
        launch(program("pass"), 1, deadline=-1)
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(RuntimeError, match="no gloo on darwin"):
        launch(program("pass"), 2)
