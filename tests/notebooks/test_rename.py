"""A page is renamed with all that belongs to it, so that nothing is left to do and nothing is executed again."""

import asyncio
import shutil
import subprocess

import polib
import pytest

from ci.book import Book, BookError, UsageError
from ci.execution import run
from ci.execution.cache import cache_path
from ci.notebooks import make, sabotages
from ci.notebooks.rename import rename
from ci.notebooks.sabotages import Result

ONE, TWO = "book/part/one", "book/part/two"
SECOND = """\
---
kernelspec: {display_name: Python 3, language: python, name: python3}
---

# Two

Before this, read [one](one.ipynb#one), and [one](one.ipynb) again: https://example.github.io/small/en/book/part/one.html

```text
[one](one.ipynb)
```

```{code-cell}
print("[one](one.ipynb)")
```
"""
ENTRY = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "%s"\nmsgstr "%s"\n'


class NoBars:
    def start(self, name, cells):
        return lambda: None


def refresh(book):
    """Executes and writes what has changed; returns how many chapters, and how many notebooks."""
    cache_path(book).mkdir(parents=True, exist_ok=True)
    results = asyncio.run(run.execute_all(book, book.chapters, NoBars(), 2))
    written = make.bring_up_to_date(book, make.all_notebooks(book), check=False)
    return sum(result.executed for result in results), written


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return tmp_path_factory.mktemp("store") / "two"


@pytest.fixture
def two(book, edit, store):
    """The small book with a second chapter that links to the first, a link back, catalogues, notebooks, in git."""
    if store.exists():  # executed once is enough
        shutil.copytree(store, book.root, dirs_exist_ok=True)
        return Book(book.root)
    toc = book.root / "_toc.yml"
    toc.write_text(toc.read_text(encoding="utf-8") + "      - file: book/part/two  # the last\n", encoding="utf-8")
    book.source(TWO).write_text(SECOND, encoding="utf-8")
    edit(book.source(ONE), "Some text.", "Go on with [two](two.ipynb).")
    book.source("book/index").write_text("# A small book\n\n[One](part/one.md), part/one.md\n", encoding="utf-8")
    (book.root / "README.md").write_text("[One](book/part/one.md), [it](notebooks/ko/part/one.ipynb)\n", "utf-8")
    (book.root / "notes.txt").write_text("See part/one for this.\n", encoding="utf-8")
    entries = {
        ONE: ("Go on with [two](two.ipynb).", "[둘](two.ipynb)로 갑니다."),
        TWO: ("[one](one.ipynb#one)", "[하나](one.ipynb#one)"),
        "book/index": ("[One](part/one.md), part/one.md", "[하나](part/one.md), part/one.md"),
    }
    sabotages.path(book, ONE).write_text("- {cause: a, replace: 1 + 1, by: 2, noticed_by: print(}\n", "utf-8")
    sabotages.store(book, {ONE: Result(sabotages.digest(book, ONE), "2026-01-01", "0", 1, 0)})
    for page, entry in entries.items():
        path = book.catalogue(page, "ko")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(ENTRY % entry, encoding="utf-8")
    for command in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *command], cwd=book.root, check=True)
    made = Book(book.root)
    refresh(made)
    shutil.copytree(made.root, store)
    return made


def renamed(book, old, new):
    list(rename(book, old, new))
    return Book(book.root)


def message(book, page):
    return [(entry.msgid, entry.msgstr) for entry in polib.pofile(str(book.catalogue(page, "ko")))]


def test_nothing_is_left_to_execute_or_to_write_afterwards(two):
    after = renamed(two, ONE, "other/first")
    assert after.chapters == ["book/other/first", TWO]
    assert refresh(after) == (0, 0)


def test_links_follow_in_pages_catalogues_and_notebooks_and_code_stays(two):
    after = renamed(two, ONE, "other/first")
    text = after.source(TWO).read_text(encoding="utf-8")
    assert "[one](../other/first.ipynb#one), and [one](../other/first.ipynb) again" in text
    assert "```text\n[one](one.ipynb)\n```" in text
    assert 'print("[one](one.ipynb)")' in text
    assert "[two](../part/two.ipynb)" in after.source("book/other/first").read_text(encoding="utf-8")
    assert "[One](other/first.md), part/one.md" in after.source("book/index").read_text(encoding="utf-8")
    assert message(after, "book/other/first") == [
        ("Go on with [two](../part/two.ipynb).", "[둘](../part/two.ipynb)로 갑니다.")
    ]
    assert message(after, TWO) == [("[one](../other/first.ipynb#one)", "[하나](../other/first.ipynb#one)")]
    readme = (after.root / "README.md").read_text(encoding="utf-8")
    assert readme == "[One](book/other/first.md), [it](notebooks/ko/other/first.ipynb)\n"


def test_the_frameworks_that_a_chapter_needs_follow(two):
    config = two.root / "_config.yml"
    config.write_text(f"{config.read_text()}frameworks:\n  {ONE}: [torch]\n  {TWO}: [torch]  # part/one\n")
    renamed(two, ONE, "other/first")
    assert config.read_text().endswith(f"frameworks:\n  book/other/first: [torch]\n  {TWO}: [torch]  # part/one\n")


def test_what_search_knows_of_the_page_follows(two):
    lists = {
        two.root / "locale" / "search.csv": "page,section,language,words\n{0},,en,part/one\n{1},,en,x\n",
        two.root / "tests" / "pages" / "questions.en.csv": "query,expected\na,{0}#a;{0};{1}\n",
    }
    for path, text in lists.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.format(ONE, f"{ONE}_in_depth"))
    renamed(two, ONE, "other/first")
    for path, text in lists.items():
        assert path.read_text() == text.format("book/other/first", f"{ONE}_in_depth")


def test_sabotages_follow_and_stay_tried(two):
    after = renamed(two, ONE, "other/first")
    assert len(sabotages.listed(after, "book/other/first")) == 1
    ((name, result),) = sabotages.results(after).items()
    assert (name, result.digest) == ("book/other/first", sabotages.digest(after, name))


def test_a_word_alone_renames_within_the_folder_and_the_list_keeps_its_comment(two):
    after = renamed(two, TWO, "second")
    assert after.chapters == [ONE, "book/part/second"]
    assert "      - file: book/part/second  # the last\n" in (after.root / "_toc.yml").read_text(encoding="utf-8")
    assert refresh(after) == (0, 0)


def test_no_file_of_the_old_name_is_left_not_even_a_compiled_one(two):
    two.catalogue(ONE, "ko").with_suffix(".mo").touch()
    renamed(two, ONE, "other/first")
    assert [path for path in two.root.rglob("one.*") if "_build" not in path.parts and ".git" not in path.parts] == []


def test_where_else_the_old_name_stands_is_said(two):
    assert any("notes.txt:1" in line for line in rename(two, ONE, "other/first"))


@pytest.mark.parametrize("kind", ["source", "notebook", "catalogue", "left over"])
def test_a_name_that_is_taken_is_refused(two, kind):
    if kind == "left over":
        path = two.notebook("book/part/three", "ko")
        path.write_text("{}")
    wanted = "three" if kind == "left over" else "two"
    with pytest.raises(UsageError, match="is there already"):
        renamed(two, ONE, wanted)


@pytest.mark.parametrize("name", ["../x", "a b", "book/", "part/.x", "part/한국"])
def test_a_name_that_cannot_be_is_refused(two, name):
    with pytest.raises(UsageError, match="cannot be the name of a page"):
        renamed(two, ONE, name)


@pytest.mark.parametrize("which", [ONE, TWO])
def test_edits_in_a_notebook_are_not_lost(two, edit, which):
    before = {path: path.read_bytes() for path in two.root.rglob("*.md")}
    edit(two.notebook(which, "en"), "# ", "# The ")
    with pytest.raises(BookError, match="differ, one of them was edited: run ./ci/book.sh refresh"):
        renamed(two, ONE, "first")
    assert {path: path.read_bytes() for path in two.root.rglob("*.md")} == before


def test_a_link_that_an_editor_broke_is_refused(two):
    path = two.catalogue(TWO, "ko")
    path.write_text(path.read_text("utf-8").replace('"[one](one.ipynb#one)"', '"[one]("\n"one.ipynb#one)"'), "utf-8")
    with pytest.raises(BookError, match=r"two\.po: a link is broken over two lines: run ./ci/book.sh update"):
        renamed(two, ONE, "first")
