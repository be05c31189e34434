"""A chapter as other books write theirs goes through every door, or is refused in one clear line."""

import asyncio
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import polib
import pytest
from bs4 import BeautifulSoup

from ci.book import Book, BookError, files, here, sphinx
from ci.catalogues import messages
from ci.execution import run
from ci.execution.cache import cache_path, code_cells, executed, read
from ci.notebooks import faults, make
from ci.notebooks.cells import Chapter
from ci.site.export import epub
from ci.site.export.post import Post, render
from ci.site.publish import published

CHAPTER = "book/guest"
TOC = "format: jb-book\nroot: book/index\nchapters:\n  - file: book/guest\n"


class NoBars:
    def start(self, name, cells):
        return lambda: None


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A book of a front page and this chapter, configured as the real one, executed, with its notebooks."""
    root, real = tmp_path_factory.mktemp("foreign"), here().root
    for name in ("_config.yml", "requirements.txt", "flaxbook", "book/_static", "ci/site/documentation"):
        copy = shutil.copytree if (real / name).is_dir() else shutil.copy
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        copy(real / name, root / name)
    (root / "_toc.yml").write_text(TOC, encoding="utf-8")
    (root / "book" / "index.md").write_text(f"# {here().title}\n", encoding="utf-8")
    shutil.copy(Path(__file__).parent / "chapter.md", root / f"{CHAPTER}.md")
    made = Book(root)
    cache_path(made).mkdir(parents=True)
    asyncio.run(run.execute_all(made, made.chapters, NoBars(), 1))
    for path, text in make.all_notebooks(made):
        files.write(path, text)
    return made


@pytest.fixture(scope="module")
def site(book):
    """The pages of both languages, by language."""
    places = {
        code: {"output": published(book) / code, "doctrees": book.built("doctrees", code)} for code in book.languages
    }
    sphinx.render_all(book, "html", places, cache=cache_path(book))
    pages = {code: places[code]["output"] / f"{CHAPTER}.html" for code in places}
    return {code: BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser") for code, page in pages.items()}


def test_every_cell_is_executed_and_the_error_is_an_output(book):
    first, failing, last = code_cells(executed(book).fetch(CHAPTER).notebook)
    assert [output.name for output in first.outputs] == ["stdout", "stderr"]
    assert failing.outputs[0].ename == "KeyError"
    assert {kind for output in last.outputs for kind in output.get("data", {})} >= {"text/html", "image/svg+xml"}


def test_the_notebooks_are_valid_and_carry_nothing_of_where_it_came_from(book):
    notebooks = {code: nbformat.read(book.notebook(CHAPTER, code), as_version=4) for code in book.languages}
    for notebook in notebooks.values():
        nbformat.validate(notebook)
        assert list(notebook.metadata) == ["kernelspec"]
    assert code_cells(notebooks["en"]) == code_cells(notebooks["ko"])


def test_its_messages_are_extracted(book):
    messages.extract(book)
    found = {entry.msgid for entry in polib.pofile(str(messages.folder(book) / f"{CHAPTER}.pot"))}
    assert {"A guest from another book", "Then change one line:", "The last word."} <= found
    assert "any hashable object that names a mapped axis" in found


@pytest.mark.parametrize("language", here().languages)
def test_the_page_shows_all_of_it(site, language):
    article = site[language].find("article")
    text = article.get_text()
    for words in ("Successfully installed jax", "+loss = new(x)", "NameError: name 'old'", "%timeit loss", "KeyError"):
        assert words in text
    assert "red and orange" in text
    assert "\x1b" not in text
    assert [image["src"] for image in article.find_all("img")][0].endswith(".svg")
    assert article.select_one("table.dataframe td").get_text() == "0.5"


@pytest.mark.parametrize("language", here().languages)
def test_the_post_shows_all_of_it_and_nothing_acts(book, site, language):
    text, assets = render(Post(book, CHAPTER, language), "2026-01-01", "2026-01-01")
    shown = BeautifulSoup(text, "html.parser")
    for words in ("Successfully installed jax", "+loss = new(x)", "red and orange", "KeyError"):
        assert words in shown.get_text()
    assert shown.select_one("table.dataframe td").get_text() == "0.5"
    assert "\x1b" not in text
    assert "<b>bold</b>" in text
    assert text.count("alert(2)") == 1  # in the code
    assert [name for name in assets if name.startswith("figure") and name.endswith(".svg")]


def test_the_e_book_has_it(book):
    (path,) = epub.write(book, ["en"], cache_path(book))
    with zipfile.ZipFile(path) as archive:
        page = next(name for name in archive.namelist() if name.endswith("guest.xhtml"))
        assert "Successfully installed jax" in archive.read(page).decode()


def test_nbval_finds_the_same_again(book, tmp_path):
    folder = tmp_path / "notebooks" / "en"
    folder.mkdir(parents=True)
    shutil.copy(book.notebook(CHAPTER, "en"), folder)
    shutil.copy(here().root / "notebooks" / "conftest.py", folder.parent)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        tmp_path,
        "--nbval",
        folder,
    ]
    done = subprocess.run(command, cwd=here().root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout


def test_a_refresh_names_what_such_a_chapter_must_change_with_file_and_line(book):
    found = [str(fault) for fault in faults.found(Chapter(book, CHAPTER), faults.SOURCE)]
    assert [fault.partition(": ")[0] for fault in found] == [f"{CHAPTER}.md:{line}" for line in (1, 62, 85, 86, 91)]
    assert all("\n" not in fault for fault in found)
    for words, fault in zip(("`formats`", "the first code cell", "break", "break", "break"), found, strict=True):
        assert words in fault


def test_a_kernel_that_is_not_here_is_said_in_one_line(book):
    notebook = read(book, CHAPTER)
    notebook.metadata.kernelspec.name = "jax-env"
    with pytest.raises(BookError) as refused:
        asyncio.run(run.run(notebook, CHAPTER, 60, lambda: None))
    assert str(refused.value) == (
        "book/guest.md: no kernel named 'jax-env' on this machine: write `name: python3` under `kernelspec:`"
    )
