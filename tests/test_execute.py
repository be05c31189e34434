import asyncio
import errno

import pytest
from jupyter_cache import get_cache
from sqlalchemy.exc import OperationalError

from ci.book import BookError
from ci.errors import reported
from ci.execution import run as execute

CHAPTER = "book/part/one"


class NoBars:
    def start(self, name, cells):
        return lambda: None


def run(book):
    execute.cache_path(book).mkdir(parents=True, exist_ok=True)
    return asyncio.run(execute.execute_all(book, book.chapters, NoBars(), 2))


def executed(book):
    return [result.executed for result in run(book)]


def test_a_chapter_is_executed_once(book):
    (first,) = run(book)
    assert (first.chapter, first.cells, first.executed) == (CHAPTER, 2, True)
    assert executed(book) == [False]


def test_outputs_are_those_of_the_code(book):
    run(book)
    notebook, data = execute.cached(get_cache(execute.cache_path(book)), execute.read(book, CHAPTER))
    first, second = execute.code_cells(notebook)
    assert first.outputs[0].text == "two is 2\n"
    assert second.outputs[0].data["text/plain"] == "2"
    assert data["execution_seconds"] > 0
    assert data["environment"]["cores"] >= 1


@pytest.mark.parametrize(
    "old, new",
    [
        ("Some text.", "Some other text."),
        ("```{code-cell}\nx\n", "```{code-cell}\n:tags: [hide-input]\n\nx\n"),
        ("```{code-cell}\nx\n", "```{code-cell}\n---\nmystnb:\n  image:\n    alt: A two\n---\nx\n"),
    ],
    ids=["prose", "a tag of the page", "a figure's description"],
)
def test_an_edit_that_no_output_depends_on_executes_nothing(book, edit, old, new):
    run(book)
    edit(book.source(CHAPTER), old, new)
    assert executed(book) == [False]


def test_the_site_finds_the_outputs_also_after_such_an_edit(book, edit):
    run(book)
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", "```{code-cell}\n:tags: [hide-input]\n\nx\n")
    run(book)
    cache = get_cache(execute.cache_path(book))
    assert cache.merge_match_into_notebook(execute.read(book, CHAPTER))[1].cells[2].outputs


@pytest.mark.parametrize(
    "file, old, new",
    [
        (f"{CHAPTER}.md", "x = 1 + 1", "x = 2"),
        ("flaxbook/data.py", "1", "2"),
        ("requirements.txt", "jax==0", "jax==1"),
    ],
    ids=["code", "helper module", "packages"],
)
def test_an_edit_that_outputs_depend_on_executes_again(book, edit, file, old, new):
    run(book)
    edit(book.root / file, old, new)
    assert executed(book) == [True]


def test_the_choice_of_data_set_has_its_own_outputs(book, monkeypatch):
    default = execute.fingerprint(book)
    monkeypatch.setenv("FLAXBOOK_DATASET", "mnist")
    assert execute.fingerprint(book) != default


@pytest.mark.parametrize("left", ["", None], ids=["empty", "missing"])
def test_an_entry_whose_writer_was_killed_is_executed_again(book, left):
    run(book)
    (file,) = execute.cache_path(book).rglob("base.ipynb")
    file.unlink() if left is None else file.write_text(left)
    assert executed(book) == [True]
    assert executed(book) == [False]


def test_a_cell_that_raises_is_named_with_its_error(book, edit):
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", "```{code-cell}\nx / 0\n")
    with pytest.raises(BookError) as caught:
        run(book)
    assert str(caught.value).splitlines()[0] == "book/part/one, code cell 2: ZeroDivisionError: division by zero"


def test_a_cell_that_never_ends_is_named(book, edit):
    edit(book.root / "_config.yml", "timeout: 60", "timeout: 1")
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", "```{code-cell}\nimport time; time.sleep(60)\n")
    with pytest.raises(BookError, match="code cell 2: not finished after 1 seconds"):
        run(book)


def test_a_kernel_that_dies_is_named(book, edit):
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", "```{code-cell}\nimport os; os._exit(1)\n")
    with pytest.raises(BookError, match="code cell 2: the kernel died"):
        run(book)


@pytest.mark.parametrize(
    "full", [OSError(errno.ENOSPC, "No space left"), OperationalError("INSERT", {}, "database or disk is full")]
)
def test_a_full_disk_is_said(book, monkeypatch, full):
    def store(*args):
        raise full

    monkeypatch.setattr(execute, "store", store)
    with pytest.raises(SystemExit, match="no space left on the disk"), reported():
        run(book)


def test_only_the_newest_caches_are_kept(book, edit):
    for number in range(execute.KEPT_CACHES + 2):
        (book.root / "flaxbook" / "data.py").write_text(str(number))
        execute.cache_path(book).mkdir(parents=True)
    execute.forget_old_caches(book)
    kept = list(execute.cache_path(book).parent.iterdir())
    assert len(kept) == execute.KEPT_CACHES
    assert execute.cache_path(book) in kept
