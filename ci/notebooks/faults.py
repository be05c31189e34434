"""Find what is wrong with a chapter, at which line of its file, and how to repair it.

A check yields (line, what is wrong). Checks in `SOURCE` need the chapter alone, those in `OUTPUTS` its notebook too.
"""

import itertools
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from ci.book import Book, BookError, at, nearest
from ci.execution import stored
from ci.execution.kernel import COLOUR
from ci.notebooks import prose, trials
from ci.notebooks.cells import FIRST, PAIRS, TAGS, Chapter, Fault, filled
from ci.outputs import compare

ODD_LINE_ENDS = tuple("\v\f\x1c\x1d\x1e\x85\u2028\u2029")  # at which `str.splitlines` splits
WIDE, NARROW = 88, 58  # the most columns of a line of code, and of one in a cell beside another
BESIDE_ANOTHER = {*PAIRS.keys(), *PAIRS.values()}
OF_KERNEL = re.compile(r"jupyter_client|ipykernel[/\\]")  # in the traceback of an error of the kernel itself
LARGEST = 400 * 1024  # bytes of a notebook
ALT = ':mystnb: {image: {alt: "What it shows."}}'
BEFORE = "nothing was executed: put it right and run ./ci/book.sh refresh again"
AFTER = (
    "the notebooks are written all the same: put it right and run ./ci/book.sh refresh again, which executes nothing"
)

Places = Iterator[tuple[int, str]]  # line of the chapter, what is wrong there


def odd_line_ends(chapter: Chapter) -> Places:
    """Find characters that only some programs treat as the end of a line, so that text would be lost."""
    for line, text in enumerate(chapter.path.read_text(encoding="utf-8").split("\n"), start=1):
        if len(text.splitlines()) > 1 or text.endswith(ODD_LINE_ENDS) or "\0" in text:
            yield line, "a NUL, a form feed, U+2028 or another odd end of a line is in it: write an ordinary one"


def header(chapter: Chapter) -> Places:
    """Find a header with the key `formats`, by which jupytext would write the notebook elsewhere."""
    if at(chapter.notebook.metadata, "jupytext.formats") is not None:
        yield 1, "`formats` in the header would pair the chapter with another notebook than notebooks/: take it out"


def first_code_cell(chapter: Chapter) -> Places:
    """Check that the first code cell, which installs the helper module, is that of all chapters; if there is one."""
    if not chapter.book.helper:
        return
    first = chapter.code[0] if chapter.code else None
    if not (first and first.tags == ["remove-cell"] and first.cell.source == filled(chapter.book, FIRST)):
        what = "the first code cell must be the same in all chapters, with its tag: copy that of another chapter"
        yield first.line if first else 1, what


def unreadable_settings(chapter: Chapter) -> Places:
    """Find settings `mystnb`, or `image` in them, that are not mappings."""
    for cell in chapter.code:
        settings = cell.cell.metadata.get("mystnb", {})
        if not (isinstance(settings, dict) and isinstance(settings.get("image", {}), dict)):
            yield cell.line, f"{cell.name}: write what stands under mystnb as in {ALT}"


def unknown_tags(chapter: Chapter) -> Places:
    """Find tags that are not in `TAGS`."""
    for cell in chapter.cells:
        for tag in cell.tags:
            if tag not in TAGS:
                hint = nearest(str(tag), list(TAGS)) or f": take it out, or use one of {', '.join(TAGS)}"
                yield cell.line, f"{cell.name}: nothing knows the tag {tag}{hint}"


def lonely_halves(chapter: Chapter) -> Places:
    """Find cells with a tag of `PAIRS` that are not next to a cell with the other tag of the pair."""
    sides = [set(cell.tags) if cell in chapter.code else set() for cell in chapter.cells]
    for cell, before, own, after in zip(chapter.cells, [set(), *sides], sides, [*sides[1:], set()], strict=False):
        for first, second in PAIRS.items():
            lonely = (first in own and second not in after) or (second in own and first not in before)
            if lonely or {first, second} <= own:
                what = f"the tags {first} and {second} are for two cells, one after the other with nothing between"
                yield cell.line, f"{cell.name}: {what}: move the cell, or take the tag out"


def tolerances(chapter: Chapter) -> Places:
    """Find tolerances that are no percentages, and comments in their place, which nothing reads."""
    for cell in chapter.code:
        try:
            compare.tolerance(cell.cell.metadata)
        except BookError as error:
            yield cell.line, f"{cell.name}: {error}"
        if "Numbers may differ by" in cell.cell.source:
            yield cell.line, f"{cell.name}: a comment allows no tolerance: write :tolerance: 5% below the fence"


def columns(cell: NotebookNode) -> int:
    """Return the largest width of a line of a cell, in columns."""
    return NARROW if BESIDE_ANOTHER.intersection(cell.metadata.get("tags", [])) else WIDE


def uncompared(chapter: Chapter) -> Places:
    """Find cells whose output nbval would not compare."""
    from ci.execution.nbval import exempt  # which takes a second to import

    for cell in chapter.code:
        if exempt(cell.cell):
            what = "its output is not compared with anything: take the word for nbval out"
            yield cell.line, f"{cell.name}: {what}, and print what stays the same"


def undescribed(chapter: Chapter, notebook: NotebookNode) -> Places:
    """Find figures without alt text, for readers who cannot see them."""
    for cell, executed in zip(chapter.cells, notebook.cells, strict=False):
        kinds = {kind for output in executed.get("outputs", []) for kind in output.get("data", {})}
        described = cell.cell.metadata.get("mystnb", {}).get("image", {}).get("alt")
        if not described and any(kind.startswith("image/") for kind in kinds):
            what = f"a figure without alt text: say in words what it shows, below this line: {ALT}"
            yield cell.line, f"{cell.name}: {what}"


def of_this_machine(book: Book) -> re.Pattern[str]:
    """Return the pattern of paths that are other ones on each machine: of the book, of a person, of Python."""
    home = str(Path.home())
    roots = {str(book.root), str(book.root.resolve()), home} - {"/"}
    roots |= {root.replace(home, "~", 1) for root in roots if root.startswith(home + "/")}
    own = "|".join(
        [*map(re.escape, sorted(roots)), "/root", r"/(?:home|Users)/[\w.-]+", r"[A-Z]:[/\\]+Users[/\\]+[\w.-]+"]
    )
    python = r"[^\s\"'(<>]{0,200}[/\\](?:python3\.\d+|site-packages|dist-packages)(?=[/\\])"
    temporary = r"(?:/tmp|/var/folders/\w+/\w+/T)/tmp[a-z0-9_]{8}"
    return re.compile(rf"(?<![\w.~/-])(?:file://)?(?:(?:{own}|{temporary})(?![\w-])|{python})")


def paths(chapter: Chapter, notebook: NotebookNode) -> Places:
    """Find outputs that show the machine of their author, and those in which the kernel itself failed."""
    pattern = of_this_machine(chapter.book)
    for cell, executed in zip(chapter.cells, notebook.cells, strict=False):
        for output in executed.get("outputs", []):
            text = COLOUR.sub("", "\n".join(said(output)))
            if not (found := pattern.search(text)):
                continue
            what = f"its output shows {found[0]}, a path that is another one on each machine: print less of it"
            if OF_KERNEL.search(text):
                reason = text.strip().split("\n")[-1]
                what = f"the kernel could not send what it prints or shows ({reason}): print it in another form"
            elif output.output_type == "error":
                what = f"{what}; catch the error, and print its message"
            elif "Warning: " in text:
                what = f"{what}; put right what it warns of, or silence it by warnings.simplefilter"
            yield cell.line, f"{cell.name}: {what}"
            break


def said(output: NotebookNode) -> Iterator[str]:
    """Yield the texts of an output in all forms but pictures."""
    for kind, value in compare.values(output).items():
        if isinstance(value, list):
            yield from map(str, value)
        elif kind == compare.SVG or not kind.startswith(("image/", "application/pdf")):
            yield value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def widgets(chapter: Chapter, notebook: NotebookNode) -> Places:
    """Find widgets, which show nothing without a kernel."""
    for cell, executed in zip(chapter.cells, notebook.cells, strict=False):
        if any(compare.WIDGET in output.get("data", {}) for output in executed.get("outputs", [])):
            what = "a widget shows nothing on a page, where no kernel runs: print or draw what it would show"
            yield cell.line, f"{cell.name}: {what}"


def too_large(chapter: Chapter, notebook: NotebookNode) -> Places:
    """Find a notebook of more than `LARGEST` bytes, which takes long to open."""
    size = len(nbformat.writes(notebook).encode())
    if size > LARGEST:
        sizes = [len(str(cell.get("outputs", ""))) for cell in notebook.cells]
        largest = chapter.cells[sizes.index(max(sizes))]
        what = f"the notebook has {size // 1024} KB, and {LARGEST // 1024} is the limit: print and draw less"
        yield largest.line, f"{what}; most is printed or drawn by {largest.name}"


def lines_too_wide(chapter: Chapter) -> Places:
    """Find lines of code that are too wide to read without scrolling."""
    text = chapter.path.read_text(encoding="utf-8").split("\n")
    for cell in chapter.code:
        number, limit = cell.line, columns(cell.cell)
        for line in cell.cell.source.split("\n"):
            if len(line) > limit:
                number = text.index(line, number) + 1
                yield number, f"{cell.name}: {len(line)} columns, and {limit} is the limit: break the line"


PAGE = [prose.formulas, prose.untranslatable]  # for pages that are no chapters, too
SOURCE = [
    *(header, prose.only_myst, prose.read_otherwise, *PAGE, prose.pictures, prose.dead_links),
    *(first_code_cell, unreadable_settings, unknown_tags, lonely_halves, tolerances, uncompared),
    lines_too_wide,
]
OUTPUTS = [undescribed, too_large, paths, widgets]


def found(chapter: Chapter, checks: Iterable[Callable[..., Places]], *notebook: NotebookNode) -> list[Fault]:
    """Return the faults that the given checks find in a chapter, by line."""
    path = chapter.book.relative(chapter.path)
    return sorted(Fault(path, line, what) for check in checks for line, what in check(chapter, *notebook))


def refuse_headers(book: Book) -> None:
    """Raise BookError if a chapter has odd line ends, cannot be parsed, or has `formats` in its header."""
    for check in (odd_line_ends, header):  # `header` parses the file, in which odd line ends would be an error
        refuse([fault for name in book.chapters for fault in found(Chapter(book, name), [check])], BEFORE)


def in_sources(book: Book) -> list[Fault]:
    """Return the faults of all pages, and of the lists of chapters, that can be found without executing anything."""
    in_pages = (found(Chapter(book, name), SOURCE if name in book.chapters else PAGE) for name in book.pages)
    in_lists = (trials.faults(book, name) for name in book.chapters)
    return [fault for faults in itertools.chain(in_pages, in_lists) for fault in faults]


def in_outputs(book: Book) -> list[Fault]:
    """Return the faults of all chapters that can be found only in the outputs in their notebooks."""
    pairs = ((Chapter(book, name), stored.notebook(book, name)) for name in book.chapters)
    return [fault for chapter, notebook in pairs for fault in found(chapter, OUTPUTS, notebook)]


def refuse(faults: list[Fault], ending: str) -> None:
    """If there are faults, print them on stderr and raise BookError with their number and `ending`."""
    if faults:
        print(*faults, sep="\n", file=sys.stderr)
        raise BookError(f"{len(faults)} {'fault' if len(faults) == 1 else 'faults'}, as said above; {ending}")
