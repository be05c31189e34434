import re

import nbformat.v4 as nb

from ci.notebooks import translate

SOURCE = r"""# Title with *emphasis*

A paragraph
over two lines with `code`
and $x$.

- an item
  that goes on
- an item **in bold**

> **Note.** A quote
> over two lines.

1. first
2. second

| a | b \| c |
|---|---|
| one | one |

$$
1 + 1
$$
"""


def test_each_block_is_replaced_in_its_place():
    translations = {block.message: block.message.upper() for block in translate.blocks(SOURCE)}
    on_one_line = re.sub(r"(?<=[a-z`])\n(?:> |  )?(?=[a-z])", " ", SOURCE)
    assert translate.translate(SOURCE, translations) == on_one_line.upper()


def test_a_cell_of_a_table_is_replaced_in_its_own_column():
    assert translate.translate("| ab | b |\n|---|---|\n", {"b": "X"}).startswith("| ab | X |\n")
    assert translate.translate("| a | a |\n|---|---|\n", {"a": "b|c"}).startswith("| b\\|c | b\\|c |\n")


def test_neither_a_list_marker_nor_code_is_text():
    assert translate.translate("1. 1\n", {"1": "하나"}) == "1. 하나\n"
    source = "```python\n# One\n```\n\n    One\n"
    assert translate.translate(source, {"One": "하나", "# One": "# 하나"}) == source


def test_a_block_without_translation_is_marked_in_a_notebook():
    source = nb.new_notebook(cells=[nb.new_markdown_cell("# One\n\nTwo\nlines\n"), nb.new_code_cell("x")])
    text, code = translate.notebook(source, {"One": "하나"}, "en").cells
    assert text.source == '# 하나\n\n<span lang="en">Two lines</span> <sup>en</sup>\n'
    assert code == source.cells[1]


def test_of_a_notebook_without_any_translation_the_title_is_marked():
    source = nb.new_notebook(cells=[nb.new_markdown_cell("# One"), nb.new_markdown_cell("Two")])
    assert [cell.source for cell in translate.notebook(source, {}, "en").cells] == [
        '# <span lang="en">One</span> <sup>en</sup>',
        "Two",
    ]
