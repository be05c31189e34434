"""The notebooks hold on other machines, and checking them leaves nothing behind."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ci.book import here
from ci.execution.environment import prepare_data
from tests.checks import left

SHAPES = {
    "native": {"PYTHONHASHSEED": "0"},
    "avx2": {"XLA_FLAGS": "--xla_cpu_max_isa=AVX2", "TZ": "Asia/Seoul", "PYTHONHASHSEED": "1"},
    "avx": {"XLA_FLAGS": "--xla_cpu_max_isa=AVX", "LC_ALL": "C", "LANG": "C"},
    "sse4": {"XLA_FLAGS": "--xla_cpu_max_isa=SSE4_2", "LC_ALL": "ko_KR.UTF-8", "HOME": "/dev/null"},
}
DATA = "TFDS_DATA_DIR"
PATIENCE = 30  # seconds for what is just ending
SHARED = Path("/dev/shm")  # where Linux shows shared memory; other systems do not show it


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("taskset"), reason="taskset is missing (Debian: apt install util-linux)")
@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_notebooks_hold_on_another_machine_and_leave_nothing(shape, cores, tmp_path):
    prepare_data(here().helper)
    folder = here().relative(here().root / "notebooks" / here().source_language)
    pytest_command = [sys.executable, "-m", "pytest", "-q", "--nbval", "--dist", "loadscope", "-n", str(cores), folder]
    options = ["-p", "no:cacheprovider", f"--basetemp={tmp_path / 'pytest'}"]  # or else it would leave a folder
    home = {DATA: os.environ.get(DATA) or str(Path.home() / "tensorflow_datasets")}
    temporary, before = tmp_path / "temporary", set(SHARED.glob("*"))
    temporary.mkdir()
    done = subprocess.run(
        ["taskset", "-c", f"0-{cores - 1}", *pytest_command, *options],
        cwd=here().root,
        env=os.environ | home | SHAPES[shape] | {"TMPDIR": str(temporary), left.MARK: str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    until = time.monotonic() + PATIENCE
    while (left.marked(str(temporary)) or set(SHARED.glob("*")) - before) and time.monotonic() < until:
        time.sleep(0.1)
    assert [*left.marked(str(temporary)), *temporary.iterdir(), *(set(SHARED.glob("*")) - before)] == []
