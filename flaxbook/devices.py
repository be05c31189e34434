"""Simulate several devices on one CPU."""

import os

import jax

THREADS = 4  # for each device


def simulate(count: int) -> None:
    """Make JAX use the CPU as `count` devices; must be called before anything else of JAX.

    XLA runs the devices of a CPU in as many threads as there are devices. When they exchange data, each device waits
    for all others. If another task occupies one of these threads, the program hangs and ends after a minute with
    "Termination timeout". This function therefore also requests more threads, through the variable that
    `DefaultThreadPoolSize` of XLA reads
    (https://github.com/openxla/xla/blob/main/xla/pjrt/utils.cc).

    Args:
      count: number of devices.

    Raises:
      RuntimeError: JAX has been used already.
    """
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_num_cpu_devices", count)
    os.environ["NPROC"] = str(count * THREADS)
