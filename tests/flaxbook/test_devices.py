import os
import subprocess
import sys

PROGRAM = """
import os
from flaxbook import devices
devices.simulate(3)
import jax
print(jax.device_count(), jax.devices()[0].platform, os.environ["NPROC"])
try:
    devices.simulate(2)
except RuntimeError as error:
    print("RuntimeError")
"""


def test_one_cpu_is_several_devices_with_threads_to_spare():
    said = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=os.environ)
    assert said.stdout.splitlines() == ["3 cpu 12", "RuntimeError"]
