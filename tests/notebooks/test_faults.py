"""Every fault of a chapter is said with file and line, and how to put it right."""

import nbformat
import pytest
from nbformat.v4 import new_output

from ci.book import BookError, markdown
from ci.notebooks import faults, translate
from ci.notebooks.cells import FIRST, Chapter
from ci.outputs import compare

NAME = "book/part/one"
HEAD = f"""\
---
file_format: mystnb
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

# One

```{{code-cell}}
:tags: [remove-cell]

{FIRST.replace("{repository}", "https://github.com/example/small").replace("{helper}", "flaxbook")}
```

"""
LINE = HEAD.count("\n") + 1  # of what follows it


@pytest.fixture
def said(book):
    """Says the faults of a chapter that goes on like this after its head."""

    def said(text="", checks=faults.SOURCE, head=HEAD, outputs=()):
        book.source(NAME).write_text(head + text, encoding="utf-8")
        chapter = Chapter(book, NAME)
        if not outputs:
            return list(map(str, faults.found(chapter, checks)))
        notebook = nbformat.from_dict(chapter.notebook)
        notebook.cells[-1].outputs = list(outputs)
        return list(map(str, faults.found(chapter, checks, notebook)))

    return said


def cell(code, *tags):
    return f"```{{code-cell}}\n:tags: [{', '.join(tags)}]\n\n{code}\n```\n\n"


def printed(text):
    return new_output("stream", text=text)


def test_a_chapter_in_order_has_no_fault(said):
    text = "A [link](one.ipynb#one), <https://jax.dev>, `{ref}` and $x$.\n\n```python\n:::\n```\n\n"
    assert said(text + cell("1", "without") + cell("2", "with") + cell("3", "hide-cell")) == []


@pytest.mark.parametrize(
    "text, words",
    [
        ("```{note}\nA note.\n```\n", "{note} is a directive"),
        ("```{code-cel}\n1\n```\n", "(did you mean {code-cell}?)"),
        ("- ```{code-cell}\n  1\n  ```\n", "outside of lists"),
        ("A {ref}`role`.\n", "{ref}`role` is a role"),
        ("(target)=\n", "(target)= is a target"),
        ("% words\n", "% words is a comment"),
        ("Some <b>bold</b> words.\n", "<b> is HTML"),
        ("A note[^1].\n\n[^1]: Words.\n", "a footnote is lost in a translation"),
        ("[^1]: Words.\n", "[^1]: is a footnote"),
        ("Hence\n$$\nx = 1\n$$\nso.\n", "$ makes a formula in some viewers only: write a formula as"),
        ("Hence $$x$$ so.\n", "$ makes a formula"),
        ("It costs $5.\n", "a dollar sign as \\$"),
        ("\\begin{align}\nx\n\\end{align}\n", "\\begin{ makes a formula"),
        (r"A \(x\)." + "\n", r"\( makes a formula"),
        (r"A \\[x\\]." + "\n", r"\[ makes a formula"),
        ("$$\nx\n\ny\n$$\n", "the empty line in this formula"),
        ("$$\nx\n$$ (label)\n", "x is a formula with a label"),
        ("> $$\n> x\n> $$\n", "in a quote, notebooks show >"),
        ("| $\\|x\\|$ |\n|---|\n", "in a table, Jupyter takes"),
        ("[r]: https://jax.dev\n", "no links by name: write [text](https://jax.dev)"),
        ("Words  \nand words.\n", "the break of a line"),
        ("Words\\\nand words.\n", "the break of a line"),
        ("## 1. Words\n", "takes 1. Words for a list"),
        ("| - words |\n|---|\n", "takes - words for a list"),
        ("A ~~word~~ less.\n", "~~ is text struck out in notebooks only"),
        ("H~2~O.\n", "~2~ is text struck out"),
        ("- [ ] a task\n", "[ ] is a box to tick"),
        ("Words #noqa\n", "#noqa is a sign for Sphinx"),
        ("See https://jax.dev there.\n", "https://jax.dev is a link in notebooks only"),
        ("A [link](https://jax.dev/a b).\n", "]( is no link as it stands"),
        ("A [](one.ipynb).\n", "a link without text"),
        ("![alt](picture.png)\n", "the picture picture.png"),
        ("A [link](onn.ipynb).\n", "there is no such notebook (did you mean one.ipynb?)"),
        ("A [link](one.md).\n", "as its notebook: one.ipynb"),
        ("A [link](../index.md).\n", "https://example.github.io/small/en/book/index.html"),
        (cell("1", "wihtout"), "the tag wihtout (did you mean without?)"),
        (cell("1", "without"), "the tags without and with are for two cells"),
        (cell("1", "nnx"), "the tags linen and nnx are for two cells"),
        (cell("1", "pytorch") + "Words.\n\n", "the tags pytorch and jax are for two cells"),
        (cell("1", "linen", "nnx"), "the tags linen and nnx are for two cells"),
        (cell("1", "nbval-skip"), "not compared"),
        (cell("# NBVAL_IGNORE_OUTPUT\n1", "hide-cell"), "not compared"),
        ("```{code-cell}\n:tolerance: much\n\n1\n```\n", "code cell 2: the tolerance much is no percentage: write"),
        (cell("# One. Numbers may differ by 5 %.\n1"), "a comment allows no tolerance: write :tolerance: 5%"),
    ],
)
def test_a_fault_is_said_once_with_its_line_and_its_repair(said, text, words):
    found = [fault for fault in said(text) if words in fault]
    assert len(found) == 1
    assert found[0].startswith(f"{NAME}.md:{LINE}: ")
    assert "\n" not in found[0]


# Forms that the site, Jupyter and a translation take alike.
ALIKE = r"""Words
over two lines, *emphasis*, _emphasis_, **bold**, `a | b`, ``a ` b``, $a_1 < b \\ c$, \$5, &amp;, \*, <https://jax.dev>,
[link](https://jax.dev/a_(b) "Title"), [**bold** `code`](one.ipynb), [heading](#one), about ~5 and ~6, 50 %, [x].

Setext
------

- item
  going on
  - nested

    more
- ```python
  x
  ```

3. three
4. four

> Quote
lazy.
>
> - item

$$
\begin{aligned} x &= 1 \\ y &= 2 \end{aligned}
$$

| a | b \| c |
|:--|--:|
| - | `d \| e` |

    indented

~~~text
$ [^1] ~~x~~ https://jax.dev
~~~

***

### Closed ###
"""


def test_forms_that_are_alike_everywhere_have_no_fault_and_keep_their_form_in_a_translation(said):
    assert said(ALIKE) == []
    shown = translate.translate(ALIKE, {block.message: block.message for block in translate.blocks(ALIKE)})
    parse = markdown.parser().parse

    def forms(text):
        for token in parse(text):
            children = [(it.type, it.attrs) for it in token.children or [] if it.type not in ("text", "softbreak")]
            yield token.type, token.attrs, children

    assert list(forms(shown)) == list(forms(ALIKE))
    for token in filter(lambda token: token.type == "inline", parse(ALIKE)):
        alone = list(forms(" ".join(token.content.split("\n"))))
        kept = [(it.type, it.attrs) for it in token.children if it.type not in ("text", "softbreak")]
        assert token.content == "-" or alone[1] == ("inline", {}, kept)


def test_a_page_without_code_is_checked_for_what_a_translation_loses(book):
    book.source("book/index").write_text("# A small book\n\nWords\\\nmore $$x$$, https://jax.dev\n", encoding="utf-8")
    assert [str(fault).split(": ")[:2] for fault in faults.in_sources(book) if "index" in fault.path] == [
        ["book/index.md:3", "the last text"],
        ["book/index.md:3", "the last text"],
    ]


def test_the_line_is_that_of_the_words_and_not_of_the_paragraph(said):
    assert said("Words,\nmore words\nand [dead](links.ipynb).\n")[0].startswith(f"{NAME}.md:{LINE + 2}: ")


def test_cells_that_belong_together_may_not_have_text_between(said):
    found = said(cell("1", "without") + "Words.\n\n" + cell("2", "with"))
    assert [fault.split(": ")[1] for fault in found] == ["code cell 2", "code cell 3"]


@pytest.mark.parametrize("edit", [("remove-cell", "hide-cell"), ("--no-deps", "-U"), ("example/small", "other/book")])
def test_the_first_code_cell_is_that_of_all_chapters(said, edit):
    assert said(head=HEAD.replace(*edit)) == [
        f"{NAME}.md:11: the first code cell must be the same in all chapters, with its tag: "
        "copy that of another chapter"
    ]


def test_a_header_that_pairs_otherwise_is_refused(said):
    found = said(head=HEAD.replace("---\n", "---\njupytext:\n  formats: ipynb,md:myst\n", 1))
    assert found[0].startswith(f"{NAME}.md:1: `formats`")


@pytest.mark.parametrize(
    "options, count", [("", 1), (':mystnb: {image: {alt: "A line."}}\n\n', 0), (f"{faults.ALT}\n\n", 0)]
)
def test_a_figure_needs_words(said, options, count):
    figure = new_output("display_data", {"image/png": "", "text/plain": "<Figure>"})
    found = said(f"```{{code-cell}}\n{options}draw()\n```\n", faults.OUTPUTS, outputs=[figure])
    assert len(found) == count
    for fault in found:
        assert fault.startswith(f"{NAME}.md:{LINE}: code cell 2: a figure without alt text")
        assert faults.ALT in fault


@pytest.mark.parametrize(
    "output, words",
    [
        (printed("/home/ada/book/x"), "its output shows /home/ada, a path that is another one on each machine"),
        (printed(r"C:\Users\ada\x"), r"shows C:\Users\ada,"),
        (printed("in /tmp/tmpab12_xyz"), "shows /tmp/tmpab12_xyz,"),
        (printed("/usr/lib/python3.11/ast.py:1: UserWarning: no"), "silence it by warnings.simplefilter"),
        (new_output("display_data", {"text/html": "<a href='file:///Users/ada/x'>"}), "shows file:///Users/ada,"),
        (new_output("display_data", {"application/json": {"a": ["/home/ada/x"]}}), "shows /home/ada,"),
        (
            new_output("error", ename="E", traceback=["File \x1b[32m~/v/site-packages/a.py\x1b[0m"]),
            "catch the error, and print",
        ),
        (
            printed("Traceback (most recent call last):\n/v/site-packages/ipykernel/x.py\nE: no"),
            "send what it prints or shows (E: no)",
        ),
        (new_output("display_data", {compare.WIDGET: {"model_id": "a"}}), "a widget shows nothing on a page"),
        (printed("https://a.org/home/x /tmp/checkpoints ~/data /homes/a /users/ada ipykernel_1/2.py /rooted"), ""),
    ],
)
def test_an_output_shows_no_path_of_its_author(said, output, words):
    found = said(cell("1"), faults.OUTPUTS, outputs=[output])
    assert len(found) == bool(words)
    assert all(words in fault and fault.startswith(f"{NAME}.md:{LINE}: code cell 2: ") for fault in found)


def test_metadata_that_cannot_be_read_are_named(book):
    book.source(NAME).write_text(HEAD.replace("[remove-cell]", "[remove-cell"), encoding="utf-8")
    with pytest.raises(BookError, match=rf"{NAME}\.md: Code cell 1 at line \d+ could not be read.*they are YAML"):
        faults.refuse_headers(book)


def test_faults_of_a_list_are_among_those_of_the_sources(book, said):
    said()
    book.source(NAME).with_suffix(".trials.yml").write_text("- cause: x\n")
    assert f"{NAME}.trials.yml:1: entry 1: it needs " in str(faults.in_sources(book)[0])


def test_all_faults_are_said_before_the_one_error(book, capsys, said):
    said("A {ref}`role`.\n\n" + cell("1", "xyz"))
    with pytest.raises(BookError, match="^2 faults, as said above; nothing was executed"):
        faults.refuse(faults.in_sources(book), faults.BEFORE)
    assert len(capsys.readouterr().err.splitlines()) == 2


@pytest.mark.parametrize("odd", ["\u2028", "\x0c", "\x85"])
def test_a_character_at_which_readers_disagree_about_lines_is_refused(book, edit, odd, capsys):
    edit(book.source(NAME), "Some text.", f"Some{odd}text.")
    with pytest.raises(BookError, match="1 fault"):
        faults.refuse_headers(book)
    assert f"{NAME}.md:15: a NUL, a form feed" in capsys.readouterr().err


@pytest.mark.parametrize("tags, limit", [((), 88), (("hide-input",), 88), (("without",), 58), (("jax",), 58)])
def test_a_line_that_is_too_wide_is_said_with_its_own_number(said, tags, limit):
    lines = ["x" * limit, "x" * (limit + 1), "", "x" * (limit + 1)]
    found = said(cell("\n".join(lines), *tags), [faults.lines_too_wide])
    what = f"code cell 2: {limit + 1} columns, and {limit} is the limit: break the line"
    assert found == [f"{NAME}.md:{LINE + number}: {what}" for number in (4, 6)]
