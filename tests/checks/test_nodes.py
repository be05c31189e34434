import os
import shutil

import pytest

from ci.book import Book, BookError, here
from ci.checks import bench, nodes
from ci.execution.cache import begin

ONE, TWO = "book/part/one", "book/part/two"


@pytest.fixture
def cores(monkeypatch):
    """The cores that this process may use."""
    found = {3, 5, 7}
    monkeypatch.setattr(nodes.os, "sched_getaffinity", lambda _process: found, raising=False)
    monkeypatch.setattr(nodes.os, "sched_setaffinity", lambda _process, _cores: None, raising=False)
    return found


def test_the_ratio_is_that_of_one_node_to_two_in_a_clone(book, cores, monkeypatch, capsys):
    def measure(tree, _names, cores):
        assert tree.root == clone.root
        return {(3,): 90.0, (3, 5): 50.0}[tuple(cores)]

    clone = here()
    monkeypatch.setattr(bench, "clone", lambda _book, _folder: clone)
    monkeypatch.setattr(nodes, "begin", lambda _book: None)
    monkeypatch.setattr(nodes, "measure", measure)
    nodes.report(book, [ONE, TWO])
    assert capsys.readouterr().out == "2 chapters: one node 90 s, two nodes 50 s, ratio 1.80\n"


def test_one_core_is_refused(book, cores):
    cores.intersection_update({3})
    with pytest.raises(BookError, match="two nodes need two cores"):
        nodes.report(book, [ONE, TWO])


def test_one_chapter_is_refused(book, cores):
    with pytest.raises(BookError, match="two nodes need two chapters"):
        nodes.report(book, [ONE])


def test_a_system_that_cannot_choose_a_core_is_refused(book, cores, monkeypatch):
    monkeypatch.delattr(nodes.os, "sched_setaffinity")
    with pytest.raises(BookError, match="use Linux"):
        nodes.report(book, [ONE, TWO])


def test_a_chapter_that_needs_frameworks_is_refused(book, cores, edit):
    edit(book.root / "_config.yml", "execute:", f"frameworks: {{{ONE}: [torch]}}\nexecute:")
    with pytest.raises(BookError, match=f"choose others than {ONE}, which are not executed on the nodes"):
        nodes.report(Book(book.root), [ONE, TWO])


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only Linux lets a process choose its cores")
def test_a_node_executes_on_its_own_core(book, edit):
    for name in ("ci", "flaxbook"):
        shutil.copytree(here().root / name, book.root / name, dirs_exist_ok=True)
    shutil.copy(here().root / "requirements.txt", book.root)
    every = os.sched_getaffinity(0)
    core = min(every)
    with book.source(ONE).open("a", encoding="utf-8") as file:
        file.write(f"```{{code-cell}}\nimport os; assert os.sched_getaffinity(0) == {{{core}}}\n```\n")
    begin(book)
    assert nodes.measure(book, [ONE], [core]) > 0
    assert os.sched_getaffinity(0) == every
