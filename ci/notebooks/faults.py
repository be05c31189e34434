"""Says what is wrong with a chapter, where it is in the file, and how to put it right.

A check yields (line, what is wrong). Those of `SOURCE` need the chapter alone, those of `OUTPUTS` its notebook too.
"""

import sys
from typing import NamedTuple

import nbformat

from ci.book import BookError, nearest
from ci.notebooks import form, prose
from ci.notebooks.cells import Chapter
from ci.notebooks.tags import PAIRS, TAGS

ODD_LINE_ENDS = tuple("\v\f\x1c\x1d\x1e\x85\u2028\u2029")  # as `str.splitlines` knows them
LARGEST = 400 * 1024  # bytes of a notebook
ELSEWHERE = 'if "google.colab" in sys.modules or "KAGGLE_KERNEL_RUN_TYPE" in os.environ:'
ALT = ':mystnb: {image: {alt: "What it shows."}}'
BEFORE = "nothing was executed: put it right and run ./ci/book.sh refresh again"
AFTER = (
    "the notebooks are written all the same: put it right and run ./ci/book.sh refresh again, which executes nothing"
)


class Fault(NamedTuple):
    """Something wrong at a line of a file."""

    path: str
    line: int
    what: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.what}"


def odd_line_ends(chapter):
    """Characters that end a line for one reader of the chapter and not for another, so that text would be lost."""
    for line, text in enumerate(chapter.path.read_text(encoding="utf-8").split("\n"), start=1):
        if len(text.splitlines()) > 1 or text.endswith(ODD_LINE_ENDS):
            yield line, "a form feed, U+2028 or another odd end of a line is in it: write an ordinary one"


def header(chapter):
    """A header that tells jupytext to write the notebook elsewhere."""
    if "formats" in (chapter.notebook.metadata.get("jupytext") or {}):
        yield 1, "`formats` in the header would pair the chapter with another notebook than notebooks/: take it out"


def first_code_cell(chapter):
    """The first code cell must install the helper module in Colab and Kaggle, nowhere else, and not be on the page."""
    install = f"    %pip install -q git+{chapter.book.repository}"
    first = chapter.code[0] if chapter.code else None
    last_lines = first.cell.source.splitlines()[-2:] if first else []
    if (
        not first
        or last_lines[:1] != [ELSEWHERE]
        or not last_lines[-1].startswith(install)
        or first.tags != ["remove-cell"]
    ):
        what = (
            "the first code cell must install the helper module in Colab and Kaggle, and only there: "
            "copy that of another chapter"
        )
        yield first.line if first else 1, what


def unreadable_settings(chapter):
    """What stands under `mystnb` and is no list of names and values."""
    for cell in chapter.code:
        settings = cell.cell.metadata.get("mystnb", {})
        if not (isinstance(settings, dict) and isinstance(settings.get("image", {}), dict)):
            yield cell.line, f"{cell.name}: write what stands under mystnb as in {ALT}"


def unknown_tags(chapter):
    """Tags that nothing knows."""
    for cell in chapter.cells:
        for tag in cell.tags:
            if tag not in TAGS:
                hint = nearest(str(tag), TAGS) or f": take it out, or use one of {', '.join(TAGS)}"
                yield cell.line, f"{cell.name}: nothing knows the tag {tag}{hint}"


def lonely_halves(chapter):
    """Cells to compare that are not next to each other."""
    sides = [set(cell.tags) if cell in chapter.code else set() for cell in chapter.cells]
    for number, (cell, own) in enumerate(zip(chapter.cells, sides, strict=True)):
        before, after = sides[number - 1] if number else set(), (sides[number + 1 :] or [set()])[0]
        for first, second in PAIRS.items():
            repair = "put the two next to each other with nothing between, or take the tag out"
            if {first, second} <= own:
                yield cell.line, f"{cell.name}: it is tagged both {first} and {second}: take one of the two out"
            elif first in own and second not in after:
                yield cell.line, f"{cell.name}: it is tagged {first}, but no cell tagged {second} follows: {repair}"
            elif second in own and first not in before:
                yield (
                    cell.line,
                    f"{cell.name}: it is tagged {second}, but no cell tagged {first} is before it: {repair}",
                )


def uncompared(chapter):
    """Cells whose output nbval would not compare."""
    from ci.execution.nbval import exempt  # which takes a second to import

    for cell in chapter.code:
        if exempt(cell.cell):
            what = (
                "its output is not compared with anything: take the word for nbval out, and print what stays the same"
            )
            yield cell.line, f"{cell.name}: {what}"


def undescribed(chapter, notebook):
    """Figures without a description in words, for who cannot see them."""
    for cell, executed in zip(chapter.cells, notebook.cells, strict=False):
        drawn = any(
            kind.startswith("image/") for output in executed.get("outputs", []) for kind in output.get("data", {})
        )
        if drawn and not cell.cell.metadata.get("mystnb", {}).get("image", {}).get("alt"):
            what = f"a figure without alt text: say in words what it shows, below this line: {ALT}"
            yield cell.line, f"{cell.name}: {what}"


def too_large(chapter, notebook):
    """A notebook that takes long to open."""
    size = len(nbformat.writes(notebook).encode())
    if size > LARGEST:
        sizes = [len(str(cell.get("outputs", ""))) for cell in notebook.cells]
        largest = chapter.cells[sizes.index(max(sizes))]
        what = f"the notebook has {size // 1024} KB, and {LARGEST // 1024} is the limit: print and draw less"
        yield largest.line, f"{what}; most is printed or drawn by {largest.name}"


SOURCE = [
    *(header, prose.only_myst, prose.pictures, prose.dead_links),
    *(first_code_cell, unreadable_settings, unknown_tags, lonely_halves, uncompared),
    *(form.long_cells, form.lines_too_wide),
]
OUTPUTS = [undescribed, too_large, form.bare_verdicts, form.lengths]


def found(chapter, checks, *notebook):
    """Lists the `Fault`s that some checks find in a chapter, by line."""
    path = chapter.book.relative(chapter.path)
    return sorted(Fault(path, line, what) for check in checks for line, what in check(chapter, *notebook))


def refuse_headers(book):
    """Raises BookError if a chapter or the metadata of a cell cannot be read, or pair it with another notebook."""
    for check in (odd_line_ends, header):  # the second reads what the first finds fault with
        refuse([fault for name in book.chapters for fault in found(Chapter(book, name), [check])], BEFORE)


def in_sources(book):
    """Lists the `Fault`s of all chapters that can be known before they are executed.

    Raises:
      BookError: a chapter cannot be read.
    """
    return [fault for name in book.chapters for fault in found(Chapter(book, name), SOURCE)]


def in_outputs(book):
    """Lists the `Fault`s of all chapters that are seen in their notebooks alone."""
    read = {name: nbformat.read(book.notebook(name, book.source_language), as_version=4) for name in book.chapters}
    return [fault for name in book.chapters for fault in found(Chapter(book, name), OUTPUTS, read[name])]


def refuse(faults, ending):
    """Says faults on stderr.

    Raises:
      BookError: there are some; it counts them, and ends as given.
    """
    if faults:
        print(*faults, sep="\n", file=sys.stderr)
        raise BookError(f"{len(faults)} {'fault' if len(faults) == 1 else 'faults'}, as said above; {ending}")
