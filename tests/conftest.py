"""A small book to try the machinery on."""

import pytest
from sphinx.testing.util import SphinxTestApp

from ci.book import Book

CONFIG = """\
title: A small book
repository: {url: https://github.com/example/small, branch: main}
execute: {timeout: 60}
sphinx:
  config:
    book_languages:
      en: English
      ko: 한국어
"""

TOC = """\
format: jb-book
root: book/index
parts:
  - caption: Part one
    chapters:
      - file: book/part/one
"""

CHAPTER = """\
---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
    format_version: 0.13
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

# One

Some text.

```{code-cell}
x = 1 + 1
print("two is", x)
```

```{code-cell}
x
```
"""


HEAD_OF_CELLS = """\
---
file_format: mystnb
kernelspec: {display_name: Python 3, language: python, name: python3}
---

"""


@pytest.fixture
def book(tmp_path):
    """A book of a front page and one chapter with two cells, in two languages, without catalogues."""
    (tmp_path / "_config.yml").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "_toc.yml").write_text(TOC, encoding="utf-8")
    (tmp_path / "requirements.txt").write_text("jax==0\n", encoding="utf-8")
    (tmp_path / "flaxbook").mkdir()
    (tmp_path / "flaxbook" / "data.py").write_text("VERSION = 1\n", encoding="utf-8")
    (tmp_path / "book" / "part").mkdir(parents=True)
    (tmp_path / "book" / "index.md").write_text("# A small book\n", encoding="utf-8")
    (tmp_path / "book" / "part" / "one.md").write_text(CHAPTER, encoding="utf-8")
    return Book(tmp_path)


@pytest.fixture
def build(book):
    """Builds pages, {name: MyST}, with Sphinx in this process; returns (the application, its output folder)."""

    def build(pages, conf, builder="html", **settings):
        (book.root / "conf.py").write_text(conf, encoding="utf-8")
        for name, text in pages.items():
            (book.root / f"{name}.md").write_text(HEAD_OF_CELLS + text, encoding="utf-8")
        app = SphinxTestApp(builder, srcdir=book.root, confoverrides=settings)
        try:
            app.build(force_all=True)
        finally:
            app.cleanup()
        return app, app.outdir

    return build


@pytest.fixture
def edit():
    """Replaces text in a file; fails if the text is not there."""

    def edit(path, old, new):
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    return edit
