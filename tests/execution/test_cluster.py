import shutil
from collections import Counter

import pytest
import ray
from ray.cluster_utils import Cluster as Nodes

from ci.book import Book, BookError, here
from ci.execution.cache import code_cells, executed
from ci.execution.cluster import Cluster
from ci.execution.environment import differing
from ci.execution.kernel import CellError
from ci.execution.run import execute_all, run_interruptibly

ONE, TWO = "book/part/one", "book/part/two"
SLOW = "".join(f"```{{code-cell}}\nimport time; time.sleep(2); print({number}, x)\n```\n\n" for number in range(4))


@pytest.mark.parametrize("address", ["127.0.0.1:1", "head", ""])
def test_a_cluster_that_is_not_there_is_refused_in_one_line(book, address, monkeypatch):
    monkeypatch.setattr(ray, "init", lambda *_arguments, **_options: pytest.fail("Ray would wait for minutes"))
    with pytest.raises(BookError) as caught, Cluster(book, address).joined():
        pass
    (line,) = str(caught.value).splitlines()
    assert line.startswith(f"FLAXBOOK_CLUSTER={address} (HOST:PORT of Ray): ")
    assert line.endswith("; to execute on this machine, unset it")


def test_a_chapter_that_needs_frameworks_is_executed_here(book, edit, monkeypatch):
    async def run_here(*arguments):
        return arguments

    edit(book.root / "_config.yml", "execute:", f"frameworks: {{{ONE}: [torch]}}\nexecute:")
    monkeypatch.setattr("ci.execution.cluster.run_here", run_here)
    arguments = (Book(book.root), None, ONE, None)
    assert run_interruptibly(Cluster(book, "head:6379").run(*arguments)) == arguments


def test_a_package_that_is_missing_or_has_another_version_differs():
    assert differing("pytest==0\nno-such-package==1\nwheel==0 ; python_version < '3'\n") == [
        "pytest==0",
        "no-such-package==1",
    ]
    assert not differing(f"RAY == {ray.__version__} \\\n    --hash=sha256:0\n")


class Stage:
    """Counts the executed cells of each chapter; calls `kill` when two of each of the chapters are done."""

    def __init__(self, kill=None):
        self.done, self.kill = Counter(), kill

    def start(self, name, cells):
        def advance():
            self.done[name] += 1
            if self.kill and min(self.done[ONE], self.done[TWO]) == 2:
                self.kill = self.kill()

        return advance


@pytest.fixture
def nodes():
    """A cluster of a head and two nodes of one processor each, all on this machine."""
    nodes = Nodes(initialize_head=True, head_node_args={"num_cpus": 0})
    for _node in range(2):
        nodes.add_node(num_cpus=1)
    nodes.wait_for_nodes()
    yield nodes
    nodes.shutdown()


@pytest.fixture
def slow(two):
    """The small book with two chapters of several seconds, the code of this book and its list of packages."""
    for name in ("ci", "flaxbook"):
        shutil.copytree(here().root / name, two.root / name, dirs_exist_ok=True)
    shutil.copy(here().root / "requirements.txt", two.root)
    for name in two.chapters:
        with two.source(name).open("a", encoding="utf-8") as file:
            file.write(SLOW)
    executed(two).prepare()
    return two


def outputs(book):
    return {name: [cell.outputs for cell in code_cells(executed(book).fetch(name).notebook)] for name in book.chapters}


@pytest.mark.slow
def test_a_book_whose_worker_is_lost_half_way_is_completed_as_on_this_machine(slow, nodes, capfd):
    here, there = (
        Stage(),
        Stage(lambda: nodes.remove_node(sorted(nodes.worker_nodes, key=id)[0], allow_graceful=False)),
    )
    run_interruptibly(execute_all(slow, slow.chapters, {}, here, 2))
    expected = outputs(slow)
    cluster = Cluster(slow, nodes.address)
    with cluster.joined() as processors:
        assert processors == 2
        results = run_interruptibly(execute_all(slow, slow.chapters, {}, there, 2, run_in=cluster.run))
    assert [result.source for result in results] == ["executed", "executed"]
    assert outputs(slow) == expected
    assert there.done == here.done
    assert "its worker is lost; executed again on another" in capfd.readouterr().out


@pytest.mark.slow
def test_errors_name_chapter_and_cell_and_a_cluster_without_workers_ends(slow, nodes, edit):
    edit(slow.source(TWO), SLOW, "```{code-cell}\nx / 0\n```\n")
    cluster, everyone = Cluster(slow, nodes.address), sorted(nodes.worker_nodes, key=id)
    with cluster.joined():
        with pytest.raises(CellError, match=f"^{TWO}, code cell 3: ZeroDivisionError: division by zero\n"):
            run_interruptibly(execute_all(slow, slow.chapters, {}, Stage(), 2, run_in=cluster.run))
        for node in everyone:
            nodes.remove_node(node, allow_graceful=False)
        with pytest.raises(BookError, match="no workers are left"):
            run_interruptibly(execute_all(slow, [ONE], {}, Stage(), 2, run_in=cluster.run))
