import errno

import pytest
from jupyter_cache.cache.main import JupyterCacheBase
from sqlalchemy.exc import OperationalError

from ci.execution.cache import KEPT_CACHES, cache_path, code_cells, executed, fingerprint, forget_old_caches, read

CHAPTER = "book/part/one"


def test_outputs_are_those_of_the_code(book, execute):
    execute()
    notebook, data = executed(book).fetch(CHAPTER)
    first, second = code_cells(notebook)
    assert first.outputs[0].text == "two is 2\n"
    assert second.outputs[0].data["text/plain"] == "2"
    assert data["execution_seconds"] > 0
    assert data["environment"]["cores"] >= 1


def test_a_chapter_that_was_not_executed_is_not_there(book):
    assert executed(book).fetch(CHAPTER) is None


def test_the_site_finds_the_outputs_also_after_such_an_edit(book, execute, edit):
    execute()
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", "```{code-cell}\n:tags: [hide-input]\n\nx\n")
    execute()
    entries = executed(book).entries
    assert entries.merge_match_into_notebook(read(book, CHAPTER))[1].cells[2].outputs


def test_the_choice_of_data_set_has_its_own_outputs(book, monkeypatch):
    default = fingerprint(book)
    monkeypatch.setenv("FLAXBOOK_DATASET", "mnist")
    assert fingerprint(book) != default


@pytest.mark.parametrize("left", ["", None], ids=["empty", "missing"])
def test_an_entry_whose_writer_was_killed_is_executed_again(book, execute, left):
    execute()
    (file,) = cache_path(book).rglob("base.ipynb")
    file.unlink() if left is None else file.write_text(left)
    assert [result.executed for result in execute()] == [True]
    assert [result.executed for result in execute()] == [False]


@pytest.mark.parametrize(
    "full", [OSError(errno.ENOSPC, "No space left"), OperationalError("INSERT", {}, "database or disk is full")]
)
def test_a_full_disk_is_said(execute, monkeypatch, full):
    def cache(*args, **options):
        raise full

    monkeypatch.setattr(JupyterCacheBase, "cache_notebook_bundle", cache)
    with pytest.raises(OSError) as caught:
        execute()
    assert caught.value.errno == errno.ENOSPC


def test_another_fault_of_the_database_stays_what_it_is(execute, monkeypatch):
    def cache(*args, **options):
        raise OperationalError("INSERT", {}, "database is locked")

    monkeypatch.setattr(JupyterCacheBase, "cache_notebook_bundle", cache)
    with pytest.raises(ExceptionGroup):
        execute()


def test_only_the_newest_caches_are_kept(book):
    for number in range(KEPT_CACHES + 2):
        (book.root / "flaxbook" / "data.py").write_text(str(number))
        cache_path(book).mkdir(parents=True)
    forget_old_caches(book)
    kept = list(cache_path(book).parent.iterdir())
    assert len(kept) == KEPT_CACHES
    assert cache_path(book) in kept
