import asyncio
import errno
import os
import signal
import sqlite3
from contextlib import closing

import pytest
from jupyter_cache.cache.db import DB_NAME, NbCacheRecord
from jupyter_cache.cache.main import JupyterCacheBase
from sqlalchemy.exc import OperationalError

from ci.book import BookError, display
from ci.execution.cache import (
    KEPT_CACHES,
    cache_path,
    code_cells,
    executed,
    fingerprint,
    forget_old_caches,
    read,
)
from ci.execution.run import execute_all, run_interruptibly

CHAPTER = "book/part/one"
pytestmark = pytest.mark.usefixtures("kernels")


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


def test_versions_for_another_python_have_no_influence(book):
    def of(here, elsewhere):
        here, elsewhere = f"jax=={here} ; python_version < '99'", f"jax=={elsewhere} ; python_version >= '99'"
        (book.root / "requirements.txt").write_text(f"{here} \\\n    --hash=sha256:0\n{elsewhere}\n    # via flax\n")
        return fingerprint(book)

    assert of(1, 2) == of(1, 3) != of(2, 3)


def files(book):
    """What the cache has stored."""
    return list(cache_path(book).rglob("base.ipynb"))


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: file.unlink(),
        lambda file: file.write_bytes(file.read_bytes()[:-100]),
        lambda file: file.write_text(file.read_text().replace("two is 2", "two is 3")),
    ],
    ids=["missing", "truncated", "with another output"],
)
def test_an_entry_that_is_not_as_it_was_left_is_executed_again(book, execute, damage):
    execute()
    (file,) = files(book)
    damage(file)
    assert executed(book).fetch(CHAPTER) is None
    assert [result.source == "executed" for result in execute()] == [True]
    assert [result.source == "executed" for result in execute()] == [False]
    assert code_cells(executed(book).fetch(CHAPTER).notebook)[0].outputs[0].text == "two is 2\n"


@pytest.mark.parametrize("content", [b"garbage" * 999, b""], ids=["garbage", "empty"])
def test_who_reads_leaves_a_damaged_list_as_it_is_and_an_execution_begins_it_anew(book, execute, capsys, content):
    execute()
    damaged = cache_path(book) / DB_NAME
    damaged.write_bytes(content)
    assert executed(book).fetch(CHAPTER) is None
    assert damaged.read_bytes() == content and capsys.readouterr().out == ""
    assert [result.source == "executed" for result in execute()] == [True]
    assert "is damaged: begun anew" in capsys.readouterr().out
    assert [result.source == "executed" for result in execute()] == [False]
    assert len(files(book)) == 1
    assert capsys.readouterr().out == ""


def test_who_reads_takes_nothing_from_who_writes(book, execute, monkeypatch):
    create, read_meanwhile = NbCacheRecord.create_record, []

    def look(**options):
        done = create(**options)
        read_meanwhile.append(executed(book).fetch(CHAPTER))
        return done

    monkeypatch.setattr(NbCacheRecord, "create_record", look)
    execute()
    assert read_meanwhile == [None]


def test_what_was_complete_when_a_run_was_interrupted_is_not_executed_again(two, kernels, execute, monkeypatch):
    run_at_once = kernels.run

    async def run(notebook, name, *args, **options):
        if name == CHAPTER:
            return await run_at_once(notebook, name, *args, **options)
        while not files(two):
            await asyncio.sleep(0)
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.Event().wait()

    monkeypatch.setattr("ci.execution.kernel.run", run)
    executed(two).prepare()
    with pytest.raises(KeyboardInterrupt), display.stage("execution") as stage:
        run_interruptibly(execute_all(two, two.chapters, {}, stage, 2))
    monkeypatch.setattr("ci.execution.kernel.run", run_at_once)
    assert [result.source == "executed" for result in execute()] == [False, True]


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


def test_only_the_newest_caches_are_kept(book):
    for number in range(KEPT_CACHES + 2):
        (book.root / "flaxbook" / "data.py").write_text(str(number))
        cache_path(book).mkdir(parents=True)
    forget_old_caches(book)
    kept = list(cache_path(book).parent.iterdir())
    assert len(kept) == KEPT_CACHES
    assert cache_path(book) in kept


def test_a_list_that_another_program_holds_is_not_deleted(book, execute):
    execute()
    with closing(sqlite3.connect(cache_path(book) / DB_NAME)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(BookError, match="locked"):
            executed(book).prepare()
    assert [result.source for result in execute()] == ["from cache"]
