"""A chapter with outputs and every trap of an export in it."""

import nbformat
import pytest

from ci.execution.cache import read
from tests.conftest import HEAD_OF_CELLS

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
