"""Compare stored outputs of a cell with fresh ones: text exactly, numbers within a tolerance, pictures by similarity.

Of a cell that shows times, only text and integers are compared.
"""

import itertools
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from nbformat import NotebookNode

from ci.book import BookError
from ci.outputs import pictures

# Relative. It covers float32 sums in another order, and is smaller than the last digit that the chapters print.
DEFAULT_TOLERANCE = 1e-6
TOLERANCE = "tolerance"  # the key in the metadata of a cell, an option in its chapter
TIMES = "times"  # in place of a percentage: the numbers and pictures are those of the machine that makes them
PERCENT = re.compile(r"(\d+(?:\.\d+)?) ?%")
NUMBER = re.compile(r"(?<![\w.])([-+]?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?)(?![\w.])")
INTEGER = re.compile(r"[-+]?\d+")
MOST = 10  # differences that are shown
LONGEST = 200  # characters of a value that is shown, if there is no other
SVG = "image/svg+xml"
MARKUP = {"text/html", "application/javascript", SVG}
VOLATILE = {"data", "metadata", "execution_count", "transient"}
MATPLOTLIB = "(?:WARNING:matplotlib:)?"  # the prefix of its messages after a library has configured logging
# Text that differs between machines or runs whatever the code does: (pattern, replacement).
SANITISED = [
    (re.compile(r"\b0x[0-9a-f]{6,}\b"), "0x…"),
    (re.compile(rf"^{MATPLOTLIB}Matplotlib is building the font cache;.*\n", re.MULTILINE), ""),
    (re.compile(rf"^{MATPLOTLIB}Matplotlib created a temporary cache directory.*\n", re.MULTILINE), ""),
    (re.compile(rf"^{MATPLOTLIB}mkdir -p failed for path .*matplotlib.*\n", re.MULTILINE), ""),
    (re.compile(r"^\S+: TqdmWarning: IProgress not found\..*\n.*\n", re.MULTILINE), ""),  # without ipywidgets
    # JAX 0.12 prints the place of the call before it raises an IndivisibleError.
    (re.compile(r"^\S*/ipykernel_\d+/\d+\.py:\d+:\d+ \(.*\)\n", re.MULTILINE), ""),
    (re.compile(r"""(?<![^\s"'(<])[^\s"'(<]*[/\\]ipykernel_\d+[/\\]"""), ""),  # has the number of the process
    (re.compile(r"^(CPU times: |Wall time: |[\d.]+ [nμµm]?s ± ).*", re.MULTILINE), "…"),  # %time, %timeit
]
# Names that libraries draw anew in each run, and the date, in HTML, JavaScript and SVG.
HEX = "[0-9a-f]"
DRAWN = re.compile(
    rf"(?<![0-9a-f])(?:{HEX}{{8}}(?:[-_]?{HEX}{{4}}){{3}}[-_]?{HEX}{{12}}"
    rf"|[a-z]{{1,9}}{HEX}{{10}}(?![0-9a-z])|T_{HEX}{{5}})|<dc:date>[^<]*"
)
WIDGET = "application/vnd.jupyter.widget-view+json"
UNCOMPARED = {"traceback", "application/pdf", WIDGET}  # these vary by run


def tolerance(metadata: Mapping[str, object]) -> float:
    """Return the relative tolerance of a cell, infinite for times; raise BookError if it is given as no percentage."""
    if TOLERANCE not in metadata:
        return DEFAULT_TOLERANCE
    if metadata[TOLERANCE] == TIMES:
        return math.inf
    if not (percent := PERCENT.fullmatch(str(metadata[TOLERANCE]))):
        raise BookError(f"the tolerance {metadata[TOLERANCE]} is no percentage: write it as in :{TOLERANCE}: 5%")
    return float(percent[1]) / 100


class Difference(NamedTuple):
    """A difference between stored and fresh outputs of a cell."""

    kind: str  # what differs, such as "text, line 3", "image/png" or "outputs", if there are others
    expected: str | None  # what was stored; None if there is no such line
    got: str | None  # what the new execution gives; None if there is no such line


def said(differences: Sequence[Difference], tolerance: float) -> str:
    """Return the first differences as text, and how numbers were compared."""
    lines = []
    for kind, *values in differences[:MOST]:
        expected, got = ("(no such line)" if value is None else value for value in values)
        lines += [kind, f"  expected:  {expected}", f"  got:       {got}"]
    if len(differences) > MOST:
        lines.append(f"  got:       {len(differences) - MOST} more differences")
    others = "" if math.isinf(tolerance) else f", other numbers within {tolerance:.2g} of their size"
    return "\n".join([*lines, f"  tolerance: integers and text exactly{others}"])


def _sanitised(text: str, ignored: Sequence[str]) -> str:
    """Return a text without what varies with the machine, and without the ignored lines."""
    for pattern, replacement in SANITISED:
        text = pattern.sub(replacement, text)
    return "".join(line for line in text.splitlines(keepends=True) if line.removesuffix("\n") not in ignored)


def _same_number(expected: str, got: str, tolerance: float) -> bool:
    """Return whether two printed numbers are equal: integers exactly, others within a relative tolerance."""
    if INTEGER.fullmatch(expected) or INTEGER.fullmatch(got):
        return expected == got
    return expected == got or math.isclose(float(expected), float(got), rel_tol=tolerance)


def same_line(expected: str, got: str, tolerance: float) -> bool:
    """Return whether two lines have equal numbers and the same text around them."""
    # re.split returns the numbers at the odd indices.
    stored, fresh = NUMBER.split(expected), NUMBER.split(got)
    numbers = zip(stored[1::2], fresh[1::2], strict=True)
    return stored[::2] == fresh[::2] and all(_same_number(*pair, tolerance) for pair in numbers)


def _text_differences(kind: str, expected: str, got: str, tolerance: float) -> Iterator[Difference]:
    """Yield the lines in which two texts differ."""
    pairs = itertools.zip_longest(expected.split("\n"), got.split("\n"))
    for number, (stored, fresh) in enumerate(pairs, start=1):
        if stored is None or fresh is None or not same_line(stored, fresh, tolerance):
            yield Difference(f"{kind}, line {number}", stored, fresh)


def _value_differences(kind: str, expected: str | None, got: str | None, tolerance: float) -> Iterator[Difference]:
    """Yield how two values of the same output field (a key or MIME type) differ; None stands for no such field."""
    if expected is None or got is None:
        yield Difference(kind, expected and expected[:LONGEST], got and got[:LONGEST])
    elif kind in UNCOMPARED:
        return
    elif not kind.startswith("image/") or kind == SVG:
        yield from _text_differences(kind, expected, got, tolerance)
    elif not math.isinf(tolerance) and (found := pictures.difference(expected, got)):
        yield Difference(kind, *found)


def values(output: NotebookNode) -> dict[str, object]:
    """Return {key or MIME type: value} of an output, without execution counts and metadata, which vary by run."""
    return {key: value for key, value in output.items() if key not in VOLATILE} | output.get("data", {})


def contents(output: NotebookNode, ignored: Sequence[str] = ()) -> dict[str, str]:
    """Return the `values` of an output as texts, without what varies with the machine or the run."""
    found = {}
    for key, value in values(output).items():
        text = value if isinstance(value, str) else json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False)
        found[key] = _sanitised(DRAWN.sub("…", text) if key in MARKUP else text, ignored)
    return found


def _name(output: NotebookNode) -> str:
    """Return the name of a stream, or the type of another output."""
    return output.get("name", output["output_type"])


def _listed(outputs: Iterable[NotebookNode]) -> str:
    """Return a line with the names of outputs; those of streams are followed by the beginning of their text."""
    names = (_name(output) + (f" {output['text'][:80]!r}" if "text" in output else "") for output in outputs)
    return ", ".join(names) or "(none)"


def differences(
    stored: Sequence[NotebookNode], fresh: Sequence[NotebookNode], tolerance: float, ignored: Sequence[str] = ()
) -> list[Difference]:
    """Return the differences of all outputs of a cell, in order; streams of the same name must be joined already.

    If the tolerance is infinite, pictures are not compared. Lines in `ignored` do not count.
    """

    def says_something(output: NotebookNode) -> bool:
        return output["output_type"] != "stream" or bool(_sanitised(output["text"], ignored))

    stored, fresh = list(filter(says_something, stored)), list(filter(says_something, fresh))
    if list(map(_name, stored)) != list(map(_name, fresh)):
        return [Difference("outputs", _listed(stored), _listed(fresh))]
    found: list[Difference] = []
    for old, new in zip(stored, fresh, strict=True):
        expected, got = contents(old, ignored), contents(new, ignored)
        for kind in sorted({*expected, *got}):
            found += _value_differences(kind, expected.get(kind), got.get(kind), tolerance)
    return found
