"""The front page shows the chapters as they are: a figure of each, and the code of a first example."""

import base64
import re

import nbformat
import pytest
from nbformat.v4 import new_output

from ci.book import here
from ci.execution.cache import code_cells
from ci.outputs import compare, pictures

BOOK = here()
FRONT = BOOK.source(BOOK.pages[0])
TEXT = FRONT.read_text(encoding="utf-8")
CARDS = re.findall(r"```\{image\} (\S+)\n  :alt: (.+)\n  ```\n  \[.+\]\((\S+)\.md\)", TEXT)
PNG = "image/png"


def cells(chapter):
    """The code cells of a chapter, as they are stored."""
    return code_cells(nbformat.read(BOOK.notebook(chapter, BOOK.source_language), as_version=4))


@pytest.mark.parametrize("picture, alt, name", CARDS, ids=[name for _picture, _alt, name in CARDS])
def test_a_card_shows_the_first_figure_of_its_chapter(picture, alt, name):
    cell = next(cell for cell in cells(f"book/{name}") if "image" in cell.metadata.get("mystnb", {}))
    assert alt == cell.metadata["mystnb"]["image"]["alt"]
    if cell.metadata.get(compare.TOLERANCE) != compare.TIMES:
        figure = next(out.data[PNG] for out in cell.outputs if PNG in out.get("data", {}))
        shown = base64.b64encode((FRONT.parent / picture).read_bytes()).decode()
        assert pictures.difference(figure, shown) is None, f"store the first figure of {name} as book/{picture}"


def test_no_picture_is_left_over():
    kept = [path.relative_to(FRONT.parent).as_posix() for path in (FRONT.parent / "gallery").iterdir()]
    assert sorted(kept) == sorted(picture for picture, _alt, _name in CARDS)


def test_the_first_example_is_code_of_its_chapter_and_prints_what_it_prints_there():
    example = re.search(r"```python\n(.+?)\n```.+?~~~text\n(.+?)~~~.+?\]\((\S+)\.md\)", TEXT, re.DOTALL)
    code, printed, name = example.groups()
    quoted = [cell for cell in cells(f"book/{name}") if cell.source in code]
    assert "\n\n\n".join(cell.source for cell in quoted) == code
    shown = [new_output("stream", name="stdout", text=printed)]
    assert compare.differences(quoted[-1].outputs, shown, compare.tolerance(quoted[-1].metadata)) == []
