"""What is known from the text of a chapter is said before it is executed; what only its outputs show, at the end."""

import pytest

from ci.book import BookError
from ci.execution import run
from ci.notebooks.cells import FIRST
from ci.notebooks.refresh import refresh

CHAPTER = "book/part/one"
INSTALL = f"""\
```{{code-cell}}
:tags: [remove-cell]

{FIRST.replace("{repository}", "https://github.com/example/small").replace("{helper}", "flaxbook")}
```

"""


@pytest.fixture
def executed(book, kernels, execute, edit, monkeypatch):
    """A chapter whose first cell is as it must be; returns the list of what `run.execute` was called with."""
    calls = []
    monkeypatch.setattr(run, "execute", lambda book: (calls.append(book), execute()))
    edit(book.source(CHAPTER), "Some text.\n\n", f"Some text.\n\n{INSTALL}")
    return calls


def test_a_chapter_in_order_is_executed_and_written(book, executed):
    refresh(book)
    assert book.notebook(CHAPTER, "ko").exists()
    assert len(executed) == 1


def test_a_fault_of_the_text_is_said_before_anything_is_executed(book, executed, edit, capsys):
    edit(book.source(CHAPTER), "Some text.", "A {ref}`role`.")
    with pytest.raises(BookError, match="1 fault, as said above; nothing was executed"):
        refresh(book)
    assert executed == []
    assert not book.notebook(CHAPTER, "ko").exists()
    assert f"{CHAPTER}.md:15: the text before code cell 1" in capsys.readouterr().err


def test_a_figure_without_words_is_said_when_all_is_written_and_words_execute_nothing(book, executed, edit, capsys):
    edit(book.source(CHAPTER), "```{code-cell}\nx\n", "```{code-cell}\nfigure\n")
    with pytest.raises(BookError, match="1 fault, as said above; the notebooks are written all the same"):
        refresh(book)
    assert "image/png" in book.notebook(CHAPTER, "ko").read_text(encoding="utf-8")
    assert f"{CHAPTER}.md:42: code cell 3: a figure without alt text" in capsys.readouterr().err
    edit(
        book.source(CHAPTER), "```{code-cell}\nfigure", '```{code-cell}\n:mystnb: {image: {alt: "Nothing."}}\n\nfigure'
    )
    before = book.built("cache").stat().st_mtime_ns
    refresh(book)
    assert book.built("cache").stat().st_mtime_ns == before


def test_leftovers_are_named_before_anything_is_written(book, executed, edit):
    refresh(book)
    edit(book.source(CHAPTER), "Some text.", "Other text.")
    left = book.root / "notebooks" / "ko" / "gone.ipynb"
    left.write_text("{}")
    with pytest.raises(BookError, match=r"notebooks/ko/gone\.ipynb: no page has it"):
        refresh(book)
    assert "Other text." not in book.notebook(CHAPTER, "en").read_text(encoding="utf-8")
