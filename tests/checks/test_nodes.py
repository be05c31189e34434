import pytest

from ci.book import Book, BookError
from ci.checks import nodes

ONE = "book/part/one"


@pytest.fixture(autouse=True)
def cores(monkeypatch):
    """The cores that this process may use."""
    found = {3, 5, 7}
    monkeypatch.setattr(nodes.os, "sched_getaffinity", lambda _process: found)
    return found


def test_the_ratio_is_that_of_one_node_to_two(book, monkeypatch, capsys):
    monkeypatch.setattr(nodes, "measure", lambda _book, _names, cores: {(3,): 90.0, (3, 5): 50.0}[tuple(cores)])
    nodes.report(book, [ONE])
    assert capsys.readouterr().out == "1 chapters: one node 90 s, two nodes 50 s, ratio 1.80\n"


def test_one_core_is_refused(book, cores):
    cores.clear()
    with pytest.raises(BookError, match="two nodes need two cores"):
        nodes.report(book, [ONE])


def test_a_chapter_that_needs_frameworks_is_refused(book, edit):
    edit(book.root / "_config.yml", "execute:", f"frameworks: {{{ONE}: [torch]}}\nexecute:")
    with pytest.raises(BookError, match=f"choose others than {ONE}, which are not executed on the nodes"):
        nodes.report(Book(book.root), [ONE])
