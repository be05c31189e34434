"""Compiled programs are used again on this machine, in this state, and only as they were left."""

import pytest

from ci.execution import compiled
from ci.execution.cache import code_cells, executed, read

CHAPTER = "book/part/one"
JAX = "import jax\n\nprint(jax.jit(lambda x: x + 1)(1.0))"


@pytest.fixture
def entries(book):
    """Three entries, listed."""
    with compiled.kept(book):
        for name in "abc":
            (compiled.folder(book) / f"{name}-cache").write_bytes(name.encode())
    return compiled.folder(book)


def names(folder):
    return sorted(path.name for path in folder.glob(compiled.ENTRIES))


def test_what_is_cut_changed_or_not_listed_is_thrown_away(book, entries):
    (entries / "a-cache").write_bytes(b"")
    (entries / "b-cache").write_bytes(b"x")
    (entries / "d-cache").write_bytes(b"d")
    compiled.begin(book)
    assert names(entries) == ["c-cache"]


@pytest.mark.parametrize("text", [None, "{"], ids=["none", "cut"])
def test_without_a_list_nothing_is_used(book, entries, text):
    (entries / compiled.LIST).unlink() if text is None else (entries / compiled.LIST).write_text(text)
    compiled.begin(book)
    assert names(entries) == []


def test_what_was_compiled_before_a_failure_is_not_used(book, entries):
    with pytest.raises(ZeroDivisionError), compiled.kept(book):
        (entries / "d-cache").write_bytes(b"d")
        raise ZeroDivisionError
    compiled.begin(book)
    assert names(entries) == ["a-cache", "b-cache", "c-cache"]


def test_another_processor_or_state_has_a_folder_of_its_own(book, entries, monkeypatch):
    monkeypatch.setattr(compiled, "processor", lambda: "another")
    other = compiled.folder(book)
    assert other != entries
    compiled.begin(book)
    assert not entries.exists()
    (book.root / "requirements.txt").write_text("jax==1\n")
    assert compiled.folder(book) != other


def test_a_chapter_that_counts_compilations_does_them_all(book, edit):
    assert compiled.variables_for(read(book, CHAPTER), compiled.folder(book))
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", "```{code-cell}\n:tags: [counts-compilations]\n\nx\n")
    assert compiled.variables_for(read(book, CHAPTER), compiled.folder(book)) == {}


@pytest.mark.slow
def test_the_second_execution_meets_the_programs_of_the_first_and_shows_the_same(book, execute, edit):
    edit(book.source(CHAPTER), "x = 1 + 1\n", f"x = 1 + 1\n{JAX}\n")

    def outputs():
        with compiled.kept(book):
            execute()
        return [cell.outputs for cell in code_cells(executed(book).fetch(CHAPTER).notebook)]

    cold, made = outputs(), names(compiled.folder(book))
    executed(book).entries.clear_cache()
    assert made
    assert outputs() == cold
    assert names(compiled.folder(book)) == made
