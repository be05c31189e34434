"""How a kernel is reached, and ended."""

from pathlib import Path

import zmq

# Seconds for a kernel to end what it has started, such as a Ray, before it is killed. It is asked for half of them,
# of which ipykernel may wait 14 for a child that ignores SIGTERM.
TO_END = 60.0


def connection(folder):
    """Options of `jupyter_client.KernelManager` for a kernel with its sockets in a folder of its own.

    Not by ports where it can be helped: another process can take a port between its choice and the start of the
    kernel, which then never answers (github.com/jupyter/jupyter_client/issues/487).
    """
    reached = {"transport": "ipc", "ip": str(Path(folder, "kernel"))} if zmq.has("ipc") else {}
    return reached | {"shutdown_wait_time": TO_END}
