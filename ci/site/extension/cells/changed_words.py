"""Find the words that differ within the lines in which two texts of code differ.

A line is compared with the line of the other side that it resembles most. A line that resembles none is new as a
whole, and has no marked words: the marked line says it all.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache

WORD = re.compile(r"\w+|\s+|.")
NAME = re.compile(r"\w+")
ALIKE = 0.5  # the least resemblance of two lines that count as one changed line
GLUE = re.compile(r"[\s.]*")  # text between two changed words that is marked with them

Span = tuple[int, int]


@cache
def _resemblance(left: str, right: str) -> float:
    """Return how alike two lines are, from 0 to 1, by their names and numbers; signs are alike in all code."""
    names = NAME.findall(left), NAME.findall(right)
    return SequenceMatcher(None, *names, autojunk=False).ratio() if all(names) else 0


def counterparts(left: Sequence[str], right: Sequence[str], at: Span = (0, 0)) -> Iterator[Span]:
    """Yield the numbers of lines that belong together, in order: the most alike, then those before and after them."""
    ratios = [(_resemblance(a, b), -i, -j) for i, a in enumerate(left) for j, b in enumerate(right)]
    ratio, i, j = max(ratios, default=(0, 0, 0))
    if ratio < ALIKE:
        return
    i, j = -i, -j
    yield from counterparts(left[:i], right[:j], at)
    yield at[0] + i, at[1] + j
    yield from counterparts(left[i + 1 :], right[j + 1 :], (at[0] + i + 1, at[1] + j + 1))


def _joined(line: str, spans: Sequence[Span]) -> list[Span]:
    """Return the spans of a line, neighbours with only glue between them as one, without space at their ends."""
    merged: list[Span] = []
    for start, end in spans:
        if merged and GLUE.fullmatch(line[merged[-1][1] : start]):
            start = merged.pop()[0]
        merged.append((start, end))
    trimmed = [(end - len(line[start:end].lstrip()), start + len(line[start:end].rstrip())) for start, end in merged]
    return [(start, end) for start, end in trimmed if start < end]


def changed_words(left: str, right: str) -> tuple[list[Span], list[Span]]:
    """Return, for each of two lines, the spans of what the other line does not have."""
    words = WORD.findall(left), WORD.findall(right)
    spans: tuple[list[Span], list[Span]] = [], []
    for kind, *bounds in SequenceMatcher(None, *words, autojunk=False).get_opcodes():
        if kind != "equal":
            for side, (first, last) in enumerate((bounds[:2], bounds[2:])):
                spans[side].append((len("".join(words[side][:first])), len("".join(words[side][:last]))))
    return _joined(left, spans[0]), _joined(right, spans[1])
