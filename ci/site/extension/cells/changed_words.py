"""Find the changed words within the changed lines of two pieces of code.

A line is compared with the most similar line of the other side. A line without a similar one is marked as a whole, and
no words in it.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache

WORD = re.compile(r"\w+|\s+|.")
NAME = re.compile(r"\w+")
ALIKE = 0.5  # the least similarity at which two lines count as one changed line
GLUE = re.compile(r"[\s.]*")  # text that is marked if it stands between two changed words

Span = tuple[int, int]


@cache
def _resemblance(left: str, right: str) -> float:
    """Return the similarity of two lines, from 0 to 1; only names and numbers count, as all code has similar signs."""
    names = NAME.findall(left), NAME.findall(right)
    return SequenceMatcher(None, *names, autojunk=False).ratio() if all(names) else 0


def counterparts(left: Sequence[str], right: Sequence[str], at: Span = (0, 0)) -> Iterator[Span]:
    """Yield (left index, right index) for the pairs of similar lines, in ascending order.

    The most similar lines are paired first, then, recursively, the lines before them and those after them.

    Args:
      at: Added to the indices.
    """
    ratios = [(_resemblance(a, b), -i, -j) for i, a in enumerate(left) for j, b in enumerate(right)]
    ratio, i, j = max(ratios, default=(0, 0, 0))
    if ratio < ALIKE:
        return
    i, j = -i, -j
    yield from counterparts(left[:i], right[:j], at)
    yield at[0] + i, at[1] + j
    yield from counterparts(left[i + 1 :], right[j + 1 :], (at[0] + i + 1, at[1] + j + 1))


def _joined(line: str, spans: Sequence[Span]) -> list[Span]:
    """Return the spans of a line, merged if only `GLUE` is between them, and without whitespace at their ends."""
    merged: list[Span] = []
    for start, end in spans:
        if merged and GLUE.fullmatch(line[merged[-1][1] : start]):
            start = merged.pop()[0]
        merged.append((start, end))
    trimmed = [(end - len(line[start:end].lstrip()), start + len(line[start:end].rstrip())) for start, end in merged]
    return [(start, end) for start, end in trimmed if start < end]


def changed_words(left: str, right: str) -> tuple[list[Span], list[Span]]:
    """Return, for each of two lines, the (start, end) of its words that differ from the other line."""
    words = WORD.findall(left), WORD.findall(right)
    spans: tuple[list[Span], list[Span]] = [], []
    for kind, *bounds in SequenceMatcher(None, *words, autojunk=False).get_opcodes():
        if kind != "equal":
            for side, (first, last) in enumerate((bounds[:2], bounds[2:])):
                spans[side].append((len("".join(words[side][:first])), len("".join(words[side][:last]))))
    return _joined(left, spans[0]), _joined(right, spans[1])
