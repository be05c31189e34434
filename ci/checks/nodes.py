"""Print how much sooner two nodes of a Ray cluster execute chapters than one: `nox -s nodes -- CHAPTER …`.

All nodes are on this machine, each on a core of its own; the head of the cluster and this process run on any core. The
machine should have nothing else to do.
"""

import argparse
import os
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ray.cluster_utils import Cluster as Nodes

from ci import _
from ci.book import Book, BookError, display, here
from ci.checks import bench
from ci.execution import frameworks
from ci.execution.cache import begin
from ci.execution.cluster import Cluster
from ci.execution.run import execute_all, run_interruptibly


@contextmanager
def started(cores: Sequence[int]) -> Iterator[str]:
    """Start a cluster with a node on each of some cores; yield its address, and stop it at the end."""
    every, nodes = os.sched_getaffinity(0), Nodes(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        for core in cores:
            os.sched_setaffinity(0, {core})  # inherited by all processes of the node
            nodes.add_node(num_cpus=1)
        os.sched_setaffinity(0, every)
        nodes.wait_for_nodes()
        yield nodes.address
    finally:
        os.sched_setaffinity(0, every)
        nodes.shutdown()


def measure(book: Book, names: Sequence[str], cores: Sequence[int]) -> float:
    """Execute chapters on a node for each of some cores; return the seconds from joining the cluster to the end."""
    with started(cores) as address, display.stage(_("execution")) as stage:
        cluster = Cluster(book, address)
        with cluster.joined() as processors:
            start = time.monotonic()
            run_interruptibly(execute_all(book, names, stage, processors, anew=True, run_in=cluster.run))
            return time.monotonic() - start


def report(book: Book, names: Sequence[str]) -> None:
    """Execute chapters of a clone on two nodes, then on one; print the seconds and their ratio.

    Two nodes come first: that their files are not in memory yet can only make the ratio smaller.

    Raises:
      BookError: This machine cannot have two such nodes, or the chapters cannot be executed on them.
    """
    if not hasattr(os, "sched_setaffinity"):
        raise BookError("this system cannot give each node a core of its own: use Linux")
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        raise BookError("two nodes need two cores")
    if len(names) < 2:
        raise BookError("two nodes need two chapters, or better eight that take equally long")
    if here_only := [name for name in names if frameworks.needed(book, name)]:
        raise BookError(f"choose others than {', '.join(here_only)}, which are not executed on the nodes")
    with tempfile.TemporaryDirectory() as folder:
        tree = bench.clone(book, Path(folder, "tree"))
        begin(tree)
        two, one = (measure(tree, names, cores[:count]) for count in (2, 1))
    print(f"{len(names)} chapters: one node {one:.0f} s, two nodes {two:.0f} s, ratio {one / two:.2f}")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("chapters", nargs="+")
    try:
        book = here()
        report(book, [book.find_chapter(name) for name in parser.parse_args().chapters])
    except BookError as error:
        raise SystemExit(f"error: {error.say(str)}") from error
