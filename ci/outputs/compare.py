"""Compare the stored outputs of a cell with fresh ones.

Text is compared exactly, numbers within a tolerance, pictures by structural similarity. Of a cell that shows
times, only text and integers are compared.
Each difference is a text with the expected value, the fresh value and the tolerance.
"""

import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from nbformat import NotebookNode

from ci.book import BookError, here
from ci.outputs import pictures

# Relative. It covers float32 sums in another order, and is smaller than the last digit that the chapters print.
DEFAULT_TOLERANCE = 1e-6
TOLERANCE = "tolerance"  # the key in the metadata of a cell, an option in its chapter
TIMES = "times"  # in place of a percentage: the numbers and pictures are those of the machine that makes them
PERCENT = re.compile(r"(\d+(?:\.\d+)?) ?%")
NUMBER = re.compile(r"(?<![\w.])([-+]?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?)(?![\w.])")
INTEGER = re.compile(r"[-+]?\d+")
MISSING = "(no such line)"
MOST_LINES = 10  # of those that differ, shown
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
]


def tolerance(metadata: Mapping[str, object]) -> float:
    """Return the relative tolerance for the numbers that a cell prints: the one in its metadata, or the default.

    It is infinite if they are times.

    Raises:
      BookError: The one in the metadata is no percentage.
    """
    if TOLERANCE not in metadata:
        return DEFAULT_TOLERANCE
    if metadata[TOLERANCE] == TIMES:
        return math.inf
    if not (percent := PERCENT.fullmatch(str(metadata[TOLERANCE]))):
        raise BookError(f"the tolerance {metadata[TOLERANCE]} is no percentage: write it as in :{TOLERANCE}: 5%")
    return float(percent[1]) / 100


@cache
def _all_sanitised() -> list[tuple[re.Pattern[str], str]]:
    """Return `SANITISED`, and the lines that `_config.yml` lists under `lines_not_compared`."""
    lines = here().config.get("lines_not_compared") or ()
    return [*SANITISED, *((re.compile(rf"^{re.escape(line)}\n", re.MULTILINE), "") for line in lines)]


def _sanitised(text: str) -> str:
    for pattern, replacement in _all_sanitised():
        text = pattern.sub(replacement, text)
    return text


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


def _text_difference(expected: str, got: str, tolerance: float) -> str | None:
    """Return a description of the lines in which two texts differ, or None if there are none."""
    pairs = enumerate(itertools.zip_longest(expected.split("\n"), got.split("\n"), fillvalue=MISSING), start=1)
    lines = [
        f"line {number}\n  expected:  {stored}\n  got:       {fresh}"
        for number, (stored, fresh) in pairs
        if not same_line(stored, fresh, tolerance)
    ]
    if not lines:
        return None
    if len(lines) > MOST_LINES:
        lines[MOST_LINES:] = [f"  got:       {len(lines) - MOST_LINES} more lines that differ"]
    rule = f"  tolerance: integers and text exactly, other numbers within {tolerance:.2g} of their size"
    return "\n".join([*lines, rule])


def _value_difference(kind: str, expected: object, got: object, tolerance: float) -> str | None:
    """Return how two values of the same output field (a key or MIME type) differ, or None if they match.

    Tracebacks always match.
    """
    if kind == "traceback":
        return None  # line numbers of libraries; the error's name and message are compared
    if not (isinstance(expected, str) and isinstance(got, str)):
        return None if expected == got else f"\n  expected:  {expected}\n  got:       {got}"
    if kind == "image/png":
        return None if math.isinf(tolerance) else pictures.difference(expected, got)
    return _text_difference(expected, got, tolerance)


def contents(output: NotebookNode) -> dict[str, object]:
    """Return {key or MIME type: value} of an output, without execution counts and metadata, which vary by run."""
    values = {key: value for key, value in output.items() if key not in VOLATILE} | output.get("data", {})
    return {key: _sanitised(value) if isinstance(value, str) else value for key, value in values.items()}


def _says_something(output: NotebookNode) -> bool:
    return output["output_type"] != "stream" or bool(_sanitised(output["text"]))


def _name(output: NotebookNode) -> str:
    """Return the name of a stream, or the type of another output."""
    return output.get("name", output["output_type"])


def _listed(outputs: Iterable[NotebookNode]) -> str:
    """Return a line with the names of outputs; those of streams are followed by the beginning of their text."""
    names = (_name(output) + (f" {output['text'][:80]!r}" if "text" in output else "") for output in outputs)
    return ", ".join(names) or "(none)"


def differences(stored: Sequence[NotebookNode], fresh: Sequence[NotebookNode], tolerance: float) -> list[str]:
    """Compare all outputs of a cell, in order.

    Args:
      stored: the expected outputs (nbformat 4), in which streams of the same name are already joined.
      fresh: the outputs of the new execution, in the same form.
      tolerance: relative, for numbers that are not integers; infinite if neither they nor pictures are compared.

    Returns:
      The differences; an empty list if there are none.
    """
    stored, fresh = list(filter(_says_something, stored)), list(filter(_says_something, fresh))
    if list(map(_name, stored)) != list(map(_name, fresh)):
        return [f"outputs\n  expected:  {_listed(stored)}\n  got:       {_listed(fresh)}"]
    different = []
    for expected, got in zip(map(contents, stored), map(contents, fresh), strict=True):
        for kind in sorted({*expected, *got}):
            if kind not in got or kind not in expected:
                different.append(f"{kind}: {'missing' if kind in expected else 'not expected'}")
            elif difference := _value_difference(kind, expected[kind], got[kind], tolerance):
                different.append(f"{kind}: {difference}")
    return different
