"""The small book with built pages in which there is everything that the PDF changes, and a chapter with outputs."""

import nbformat
import pytest

from ci.execution.cache import read
from ci.site import publish
from tests.conftest import HEAD_OF_CELLS

FRONT = """\
<span class="sidebar-brand-text">A small book</span>
<div class="sidebar-tree"><p class="caption">Part one</p><ul><li><a href="part/one.html">One</a></li></ul></div>
<article role="main"><section id="top"><h1>A small book<a class="headerlink" href="#top">#</a></h1>
<p><a href="part/one.html#cells">cells</a></p></section></article>
"""
CHAPTER = """\
<article role="main"><div class="page-tools">tools</div><section id="top">
<h1>One &amp; "only"<a class="headerlink" href="#top">#</a></h1>
<img src="../../_images/a.png" alt="A {{ b }}" loading="lazy">
<p>A <button class="term" popovertarget="term-key">key</button><span popover class="definition">It opens.</span>
and <button class="copy">Copy</button></p>
<img class="only-dark" src="../../_images/night/a.png">
<p class="report"><a href="https://example.org">Report</a></p>
<details class="hide"><summary>Show this cell</summary><pre>1 + 1</pre></details></section></article>
"""
SOURCE = (
    HEAD_OF_CELLS
    + """\
# One & "only"

What {{ it }} is "about", with $x^2$ and `[x](y.md)`: [cells](two.ipynb#cells),
[here](#here), [the front page](../index.ipynb), [a](https://a.example/b).

```{code-cell}
:tags: [remove-cell]

import secret
```

```{code-cell}
:tags: [hide-cell]
:tolerance: 5%
:mystnb: {image: {alt: "A {{ b }}"}}

x = "```"
```
"""
)
# What a copy in Markdown and a post say of it.
OPENING = """\
What {{{{ it }}}} is "about", with {formula} and `[x](y.md)`: [cells]({site}/book/part/two.html#cells),
[here]({site}/book/part/one.html#here), [the front page]({site}/book/index.html), [a](https://a.example/b).
"""
CELL = """\
````python
x = "```"
````

```text
a | b
```

{figure}

Numbers may differ by 5 %.
"""
PNG = b"\x89PNG of a figure"
FIGURE = {"image/png": "iVBORyBvZiBhIGZpZ3VyZQ==", "text/plain": "<Figure>"}


@pytest.fixture
def built(book):
    """Puts pages and a figure where the built ones are, in English."""
    folder = publish.published(book) / "en"
    for name, text in {"book/index": FRONT, "book/part/one": CHAPTER}.items():
        path = folder / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "_images").mkdir()
    (folder / "_images" / "a.png").write_bytes(PNG)
    book.config.update(author="Kim & Lee", copyright="2026")
    return book


@pytest.fixture
def chapter(book):
    """Writes a chapter and its notebook with outputs; returns this notebook."""

    def chapter(source=SOURCE, output="a | \x1b[31mb\x1b[0m\n"):
        book.source("book/part/one").write_text(source, encoding="utf-8")
        notebook = read(book, "book/part/one")
        for cell in notebook.cells:
            if cell.cell_type == "code":
                text = nbformat.v4.new_output("stream", text=output)
                cell.update(execution_count=1, outputs=[text, nbformat.v4.new_output("display_data", FIGURE)])
        path = book.notebook("book/part/one", "en")
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, path)
        return notebook

    book.config.update(author="Kim & Lee")
    return chapter
