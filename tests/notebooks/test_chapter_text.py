import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from ci.book import BookError
from ci.notebooks import chapter_text

HEADER = "---\njupytext:\n  formats: ipynb,md:myst\nkernelspec: {name: python3}\n---\n"
BODY = """
# One

Some text.

```{code-cell}
---
mystnb:
  image:
    alt: A line.
    width: 1
tags: [a]
---
1
2
3
```

*   a list,   with odd blanks

+++

The last one.
"""
TEXT = HEADER + BODY


def notebook():
    return chapter_text.read(TEXT)


def changed_lines(text):
    return [line for line in text.split("\n") if line not in TEXT.split("\n")]


def test_a_chapter_keeps_every_byte_where_nothing_was_edited():
    assert chapter_text.with_cells(TEXT, notebook()) == TEXT
    windows = TEXT.replace("\n", "\r\n")
    assert chapter_text.with_cells(windows, notebook()) == windows


@pytest.mark.parametrize(
    "number, changes, lines",
    [
        (1, {"source": "1\n5\n3"}, ["5"]),
        (2, {"source": "*   a list,   with other blanks"}, ["*   a list,   with other blanks"]),
        (1, {"metadata": {"tags": ["b"]}}, [":tags: [b]"]),
        (0, {"metadata": {"editable": True, "scrolled": True}}, []),
    ],
)
def test_other_edits_change_no_more_than_they_must(number, changes, lines):
    edited = notebook()
    edited.cells[number].update(nbformat.from_dict(changes))
    text = chapter_text.with_cells(TEXT, edited)
    assert chapter_text.content(chapter_text.read(text)) == chapter_text.content(edited)
    assert changed_lines(text) == lines


def test_a_chapter_saved_by_jupyter_gets_its_kernel_and_its_fences_back():
    header = "---\nkernelspec:\n  display_name: Python 3\n---\n"
    saved = header.replace("Python 3", "Python 3 (ipykernel)") + BODY.replace("{code-cell}", "{code-cell} ipython3")
    assert chapter_text.without_marks_of_jupyter(saved) == header + BODY
    fenced = f"{TEXT}\n~~~~md\n```{{code-cell}} ipython3\n~~~~\n"
    assert chapter_text.without_marks_of_jupyter(fenced) == fenced


def test_what_others_put_into_the_header_is_no_cell():
    read = chapter_text.read("---\norphan: true\nkernelspec: {name: python3}\n---\n" + BODY)
    assert [cell.cell_type for cell in read.cells] == ["markdown", "code", "markdown", "markdown"]
    assert read.metadata.kernelspec.name == "python3"


def test_empty_cells_blanks_and_the_order_of_metadata_say_nothing():
    edited = notebook()
    edited.cells.insert(1, new_code_cell("\n", metadata={"scrolled": True}))
    edited.cells[0].source = f"\n \n{edited.cells[0].source}  \n"
    settings = {"mystnb": {"image": {"width": 1, "alt": "A line."}}, "tags": ["a"], "collapsed": False}
    edited.cells[2].metadata = nbformat.from_dict(settings)
    assert chapter_text.digest(edited) == chapter_text.digest(notebook())


@pytest.mark.parametrize(
    "source",
    ["```python\nnever closed", "one\n\n+++\n\ntwo", "```{code-cell}\n1\n```", "$$\nx\n$$\n\n~~~\nopen", "a\u2028b"],
)
def test_a_cell_that_no_chapter_holds_is_named(source):
    nb = new_notebook(cells=[new_code_cell("1"), new_code_cell(""), new_markdown_cell(source), new_markdown_cell("b")])
    with pytest.raises(BookError, match=r"^x\.ipynb, the last text: "):
        chapter_text.refuse_what_no_chapter_holds(nb, "x.ipynb")


def test_a_picture_that_was_pasted_and_an_empty_notebook_are_named_and_odd_code_is_held():
    cell = new_markdown_cell("![a](attachment:b.png)", attachments={"b.png": {"image/png": ""}})
    with pytest.raises(BookError, match=r"^x\.ipynb, the last text: .*\(b\.png\): draw it in a code cell"):
        chapter_text.refuse_what_no_chapter_holds(new_notebook(cells=[cell]), "x.ipynb")
    with pytest.raises(BookError, match="x.ipynb is empty"):
        chapter_text.refuse_what_no_chapter_holds(new_notebook(cells=[new_code_cell("")]), "x.ipynb")
    sources = ['"""\n```\n"""', ":tags: [x]", "---\na", "%%time\nx\n\n\ny", "  x  # indented"]
    chapter_text.refuse_what_no_chapter_holds(new_notebook(cells=list(map(new_code_cell, sources))), "x.ipynb")
