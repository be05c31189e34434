"""A book that is not this one, without helper module and in other languages, goes through every door with `ci/`.

One of its chapters is written as other books write theirs.
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import textwrap
import zipfile

import nbformat
import polib
import pytest
from bs4 import BeautifulSoup

from ci.book import Book, BookError, here, lock
from ci.catalogues import update
from ci.execution import kernel
from ci.execution.cache import cache_path, code_cells, read
from ci.notebooks import faults
from ci.notebooks.cells import Chapter
from ci.site.export import epub
from ci.site.export.post import load, render
from ci.site.publish import published
from tests.conftest import settings_of_every_book

CONFIG = f"""\
title: Petit livre de NumPy
author: Une autrice
copyright: Une autrice
repository:
  url: https://github.com/exemple/petit-livre
languages:
  fr: Français

{settings_of_every_book().replace("language: en", "language: fr")}
"""
LANGUAGES = ("fr", "ja")
GUEST, ARRAYS = "book/guest", "book/arrays/shapes"
TOC = """\
format: jb-book
root: book/index
chapters:
  - file: book/arrays/shapes
  - file: book/arrays/axes
  - file: book/guest
"""
CELLS = """\
---
file_format: mystnb
kernelspec: {display_name: Python 3, language: python, name: python3}
---

"""
PAGES = {
    "book/index": "# Petit livre de NumPy\n\nCommencez par [les formes](arrays/shapes.md).\n",
    ARRAYS: f"""\
{CELLS}
# Les formes

Un tableau a une forme.

```{{code-cell}}
import numpy as np

print(np.ones((2, 3)).shape)
```

## Et après

Voir [les axes](axes.ipynb).
""",
    "book/arrays/axes": f"{CELLS}# Les axes\n\n```{{code-cell}}\nsum([1, 2])\n```\n",
}
TRANSLATIONS = {
    ("ja", "book/index"): {"Petit livre de NumPy": "小さな NumPy の本"},
    ("ja", ARRAYS): {"Les formes": "形", "Un tableau a une forme.": "配列には形があります。", "Et après": "その次"},
    ("fr", "ci"): {"Open in Colab": "Ouvrir dans Colab"},
}
COLAB = "https://colab.research.google.com/github/exemple/petit-livre/blob/main/notebooks"
REPAIR = ("class Frame", ':mystnb: {image: {alt: "A circle."}}\n\nclass Frame')  # what the guest must change


def command(root, *words, module="ci"):
    """Runs a command of the copied machinery, as `./ci/book.sh` and `./ci/test.sh` do."""
    outer = ("PYTHON", lock.HELD, "FLAXBOOK_LANG")
    environment = {key: value for key, value in os.environ.items() if key not in outer and "PYTEST" not in key}
    environment |= {"PYTHONPATH": str(root), "LC_ALL": "C.UTF-8"}
    program = [sys.executable, "-m", module, *words]
    return subprocess.run(program, cwd=root, env=environment, capture_output=True, text=True, check=False)


def translate(book, code):
    """Edits the catalogues of a language."""
    for language, page in (place for place in TRANSLATIONS if place[0] == code):
        catalogue = polib.pofile(str(book.catalogue(page, language)))
        for message, text in TRANSLATIONS[language, page].items():
            catalogue.find(message).msgstr = text
        catalogue.metadata |= {"Last-Translator": "Jemand <a@example.org>", "PO-Revision-Date": "2026-01-02"}
        catalogue.save()


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A folder with `ci/`, the checks, the list of packages, one file of settings and three chapters."""
    root, real = tmp_path_factory.mktemp("foreign"), here().root
    shutil.copytree(real / "ci", root / "ci", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("noxfile.py", "requirements.txt"):
        shutil.copy(real / name, root)
    (root / ".venv").symlink_to(sys.prefix)
    (root / "_config.yml").write_text(CONFIG, encoding="utf-8")
    (root / "_toc.yml").write_text(TOC, encoding="utf-8")
    (root / "book" / "arrays").mkdir(parents=True)
    for name, text in PAGES.items():
        (root / f"{name}.md").write_text(text, encoding="utf-8")
    shutil.copy(real / "tests" / "foreign" / "chapter.md", root / f"{GUEST}.md")
    return root


@pytest.fixture(scope="module")
def said(root):
    """What the commands said that a new author and a translator type, in this order."""
    said, guest = {"refused": command(root, "refresh")}, root / f"{GUEST}.md"
    guest.write_text(guest.read_text(encoding="utf-8").replace(*REPAIR), encoding="utf-8")
    said["refresh"] = command(root, "refresh")
    said["new"] = command(root, "new", "ja")
    translate(Book(root), "ja")
    said["update"] = command(root, "update")
    translate(Book(root), "fr")  # of which the command has just made the catalogue
    said["test"] = command(root, module="ci.checks.checks")
    return said


@pytest.fixture(scope="module")
def book(root, said):
    """The book after all commands."""
    for name, done in said.items():
        assert done.returncode == (name == "refused"), done.stdout + done.stderr
    return Book(root)


def page(book, name, language):
    """A page of the built book."""
    text = (published(book) / language / f"{name}.html").read_text(encoding="utf-8")
    return BeautifulSoup(text, "html.parser")


def test_a_refresh_names_what_such_a_chapter_must_change_with_file_and_line(said):
    [fault] = (line for line in said["refused"].stderr.splitlines() if line.startswith(f"{GUEST}.md:"))
    assert fault.startswith(f"{GUEST}.md:78: ") and "a figure without alt text" in fault


def test_all_checks_that_such_a_book_can_have_pass(book, said):
    lines = said["test"].stdout.splitlines()
    assert lines[-1] == "8 passed, 0 failed, 5 skipped"  # five cells, the book, the catalogues, the refresh
    for name in ("ruff", "mypy", "tests", "tests/pages"):
        assert any(line.endswith(f": 1 not checked: this book has no {name}") for line in lines)


def test_nothing_is_called_by_the_name_of_the_real_book(book):
    written = [*published(book).rglob("*.html"), *book.root.glob("notebooks/**/*.ipynb"), *book.root.rglob("*.po")]
    assert len(written) > 3 * len(book.chapters) * len(LANGUAGES)
    assert [path for path in written if "flaxbook" in path.read_text(encoding="utf-8")] == []


def test_a_translation_appears_on_its_page_in_its_notebook_and_in_the_search(book):
    shown, notebook = page(book, ARRAYS, "ja"), book.notebook(ARRAYS, "ja").read_text(encoding="utf-8")
    sections = (published(book) / "ja" / "_static" / "sections.js").read_text(encoding="utf-8")
    for text in TRANSLATIONS["ja", ARRAYS].values():
        assert text in shown.find("article").get_text()
        assert text in notebook
        assert text in sections
    assert shown.title.get_text() == "形 - 小さな NumPy の本"
    assert f"{COLAB}/ja/arrays/shapes.ipynb" in [link["href"] for link in shown.select(".page-tools a")]
    assert "Ouvrir dans Colab" in page(book, ARRAYS, "fr").select_one(".page-tools").get_text()


def test_the_notebooks_are_valid_and_carry_nothing_of_where_it_came_from(book):
    notebooks = {code: nbformat.read(book.notebook(GUEST, code), as_version=4) for code in LANGUAGES}
    for notebook in notebooks.values():
        nbformat.validate(notebook)
        assert list(notebook.metadata) == ["kernelspec"]
    assert code_cells(notebooks["fr"]) == code_cells(notebooks["ja"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_all_of_it(book, language):
    article = page(book, GUEST, language).find("article")
    text = article.get_text()
    for words in ("Successfully installed jax", "+loss = new(x)", "NameError: name 'old'", "%timeit loss", "KeyError"):
        assert words in text
    assert "red and orange" in text
    assert "\x1b" not in text
    assert [image["src"] for image in article.find_all("img")][0].endswith(".svg")
    assert article.select_one("table.dataframe td").get_text() == "0.5"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_post_shows_all_of_it_and_nothing_acts(book, language):
    text, assets = render(load(book, GUEST, language), "assets")
    for words in ("Successfully installed jax", "+loss = new(x)", "red and orange", "KeyError"):
        assert words in text
    assert "```text\n   loss  {{ '{{' }} step }}" in text
    assert "\x1b" not in text
    prose = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    assert not re.search(r"(?<!\\)<(?!/?(?:details|summary|math|m\w+)\b)", prose)
    assert [name for name in assets if name.startswith("figure") and name.endswith(".svg")]


def test_the_e_book_has_it(book):
    (path,) = epub.write(book, ["fr"], cache_path(book))
    assert path.name == "petit-livre-fr.epub"
    with zipfile.ZipFile(path) as archive:
        text = next(name for name in archive.namelist() if name.endswith("guest.xhtml"))
        assert "Successfully installed jax" in archive.read(text).decode()


def test_a_kernel_that_is_not_here_is_said_in_one_line(book):
    notebook = read(book, GUEST)
    notebook.metadata.kernelspec.name = "jax-env"
    with pytest.raises(BookError) as refused:
        asyncio.run(kernel.run(notebook, GUEST, 60, lambda: None))
    assert str(refused.value) == (
        "book/guest.md: no kernel named 'jax-env' on this machine: write `name: python3` under `kernelspec:`"
    )


def test_the_page_on_how_to_make_such_a_book_has_all_files_that_one_needs(tmp_path):
    page = (here().root / "docs" / "your_own_book.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^   (`{3,})(?:yaml|md)\n(.*?)^   \1$", page, re.MULTILINE | re.DOTALL)
    config, toc, chapter = (textwrap.dedent(block) for _fence, block in blocks)
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "index.md").write_text("# A small book on sums\n", encoding="utf-8")
    config += "\n" + settings_of_every_book()
    for name, text in {"_config.yml": config, "_toc.yml": toc, "book/sums.md": chapter}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    made = Book(tmp_path)
    assert (made.chapters, list(made.languages)) == (["book/sums"], ["en"])
    assert faults.found(Chapter(made, "book/sums"), faults.SOURCE) == []
    assert "\n  en: English\n  de: Deutsch\n" in update.with_language(config, "de", "Deutsch")
