"""Several devices where there is one CPU."""

import os

import jax

THREADS = 4  # of each device


def simulate(count):
    """Makes JAX use the CPU as `count` devices. Call it before anything else of JAX.

    XLA runs the devices of a CPU in as many threads as there are devices. Where they exchange data, each waits for all
    the others; if one of these threads is taken, the program stands still and ends after a minute with "Termination
    timeout". So this also asks for more threads, by the variable that `DefaultThreadPoolSize` of XLA reads
    (https://github.com/openxla/xla/blob/main/xla/pjrt/utils.cc).

    Args:
      count: number of devices, an int.

    Raises:
      RuntimeError: JAX has been used before.
    """
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_num_cpu_devices", count)
    os.environ["NPROC"] = str(count * THREADS)
