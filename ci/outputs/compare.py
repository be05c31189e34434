"""Compares the stored outputs of a cell with fresh ones: text to the letter, numbers within a tolerance, pictures by
their looks.

A difference is a text that says what was expected, what was found and what was allowed.
"""

import itertools
import math
import re

from ci.outputs import pictures
from flaxbook import data

# Relative. Covers the rounding of float32 sums in another order, and no digit of what the chapters print.
DEFAULT_TOLERANCE = 1e-6
DECLARED = re.compile(r"^# Numbers may differ by (\d+(?:\.\d+)?) ?%", re.MULTILINE)
NUMBER = re.compile(r"(?<![\w.])([-+]?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?)(?![\w.])")
INTEGER = re.compile(r"[-+]?\d+")
VOLATILE = {"data", "metadata", "execution_count", "transient"}
MATPLOTLIB = "(?:WARNING:matplotlib:)?"  # so it begins once a library has set up logging
# What differs between machines or runs and says nothing about the code: (pattern, what to put in its place).
SANITISED = [
    (re.compile(r"\b0x[0-9a-f]{6,}\b"), "0x…"),
    (re.compile(rf"^{MATPLOTLIB}Matplotlib is building the font cache;.*\n", re.MULTILINE), ""),
    (re.compile(rf"^{MATPLOTLIB}Matplotlib created a temporary cache directory.*\n", re.MULTILINE), ""),
    (re.compile(rf"^{MATPLOTLIB}mkdir -p failed for path .*matplotlib.*\n", re.MULTILINE), ""),
    (re.compile(rf"^{re.escape(data.IN_MEMORY)}\n", re.MULTILINE), ""),
]


def tolerance(source):
    """Returns the relative tolerance of the numbers a cell prints: what its comment declares, or the default."""
    declared = DECLARED.search(source)
    return float(declared[1]) / 100 if declared else DEFAULT_TOLERANCE


def sanitised(text):
    for pattern, replacement in SANITISED:
        text = pattern.sub(replacement, text)
    return text


def same_number(expected, got, tolerance):
    """Whether two numbers, as printed, are equal: integers exactly, others within a relative tolerance."""
    if INTEGER.fullmatch(expected) or INTEGER.fullmatch(got):
        return expected == got
    return expected == got or math.isclose(float(expected), float(got), rel_tol=tolerance)


def same_line(expected, got, tolerance):
    # Splitting by one group puts the numbers at the odd places.
    expected, got = NUMBER.split(expected), NUMBER.split(got)
    return expected[::2] == got[::2] and all(
        same_number(*pair, tolerance) for pair in zip(expected[1::2], got[1::2], strict=True)
    )


def text_difference(expected, got, tolerance):
    """Returns the first line in which two texts differ, or None."""
    lines = itertools.zip_longest(expected.split("\n"), got.split("\n"))
    for number, (stored, fresh) in enumerate(lines, start=1):
        if stored is None or fresh is None or not same_line(stored, fresh, tolerance):
            return (
                f"line {number}\n"
                f"  expected:  {'(no such line)' if stored is None else stored}\n"
                f"  got:       {'(no such line)' if fresh is None else fresh}\n"
                f"  tolerance: integers and text exactly, other numbers within {tolerance:.2g} of their size"
            )
    return None


def data_difference(kind, expected, got, tolerance):
    """Compares what two outputs hold under one key or MIME type."""
    if kind == "image/png":
        return pictures.difference(expected, got)
    if isinstance(expected, str) and isinstance(got, str):
        return text_difference(expected, got, tolerance)
    return None if expected == got else f"\n  expected:  {expected}\n  got:       {got}"


def contents(output):
    """Returns {key or MIME type: value} of an output, without what differs between any two runs."""
    values = {key: value for key, value in output.items() if key not in VOLATILE} | output.get("data", {})
    return {key: sanitised(value) if isinstance(value, str) else value for key, value in values.items()}


def says_something(output):
    return output["output_type"] != "stream" or sanitised(output["text"])


def name(output):
    return output.get("name", output["output_type"])


def listed(outputs):
    """Names outputs on one line, streams with their beginning."""
    texts = (f" {output['text'][:80]!r}" if "text" in output else "" for output in outputs)
    return ", ".join(map("".join, zip(map(name, outputs), texts, strict=True))) or "(none)"


def differences(stored, fresh, tolerance):
    """Compares all outputs of a cell, in their order.

    Args:
      stored, fresh: lists of outputs (nbformat 4), streams of one name joined.
      tolerance: relative, of numbers that are not integers.

    Returns:
      A list of texts; empty if the outputs say the same.
    """
    stored, fresh = list(filter(says_something, stored)), list(filter(says_something, fresh))
    if list(map(name, stored)) != list(map(name, fresh)):
        return [f"outputs\n  expected:  {listed(stored)}\n  got:       {listed(fresh)}"]
    found = []
    for expected, got in zip(map(contents, stored), map(contents, fresh), strict=True):
        for kind in sorted({*expected, *got}):
            if kind not in got or kind not in expected:
                found.append(f"{kind}: {'missing' if kind in expected else 'not expected'}")
            elif kind == "traceback":
                continue  # line numbers of libraries; the error's name and message are compared
            elif difference := data_difference(kind, expected[kind], got[kind], tolerance):
                found.append(f"{kind}, {difference}" if kind == "image/png" else f"{kind} {difference}")
    return found
