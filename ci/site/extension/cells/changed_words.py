"""Which words differ within the lines in which two texts of code differ, and how they are marked in highlighted code.

A line is compared with the one of the other side that it resembles most. One that resembles none is new as a whole,
and has no words marked: that the line is marked says it all.
"""

import re
from difflib import SequenceMatcher
from functools import cache
from itertools import pairwise

from pygments.formatters import HtmlFormatter

WORD = re.compile(r"\w+|\s+|.")
NAME = re.compile(r"\w+")
LINE = re.compile(r"[^\n]*\n|[^\n]+")
CHANGED = "changed"  # the class of such words, and the option of the formatter that lists them
ALIKE = 0.5  # from which two lines are taken for the same one, changed
GLUE = re.compile(r"[\s.]*")  # what between two changed words is taken for changed with them


@cache
def resemblance(left, right):
    """By names and numbers alone: signs are alike in all code. A line without any resembles none."""
    names = [NAME.findall(line) for line in (left, right)]
    return SequenceMatcher(None, *names, autojunk=False).ratio() if all(names) else 0


def counterparts(left, right, at=(0, 0)):
    """Yields the numbers of lines that belong together, in order: the pair most alike, then those before and after."""
    ratios = [(resemblance(a, b), -i, -j) for i, a in enumerate(left) for j, b in enumerate(right)]
    ratio, i, j = max(ratios, default=(0, 0, 0))
    if ratio < ALIKE:
        return
    i, j = -i, -j
    yield from counterparts(left[:i], right[:j], at)
    yield at[0] + i, at[1] + j
    yield from counterparts(left[i + 1 :], right[j + 1 :], (at[0] + i + 1, at[1] + j + 1))


def joined(line, spans):
    """Spans of one line, those with hardly anything between them made one, without space at the ends."""
    found = []
    for start, end in spans:
        if found and GLUE.fullmatch(line[found[-1][1] : start]):
            start = found.pop()[0]
        found.append((start, end))
    trimmed = [(end - len(line[start:end].lstrip()), start + len(line[start:end].rstrip())) for start, end in found]
    return [(start, end) for start, end in trimmed if start < end]


def changed_words(left, right):
    """Returns two lists of (start, end): what each of two lines has and the other has not."""
    words = [WORD.findall(line) for line in (left, right)]
    spans = [], []
    for kind, *bounds in SequenceMatcher(None, *words, autojunk=False).get_opcodes():
        if kind != "equal":
            for side, (first, last) in enumerate((bounds[:2], bounds[2:])):
                start, end = (len("".join(words[side][:place])) for place in (first, last))
                spans[side].append((start, end))
    return tuple(joined(line, side) for line, side in zip((left, right), spans, strict=True))


def cut(tokens, marks):
    """Yields tokens (type, text) again, those cut in which something marked begins or ends.

    What is marked gets a type of its own below its type; `marks` are (line, start, end), with lines from 1.
    """
    line, column = 1, 0
    for kind, text in tokens:
        for part in LINE.findall(text):
            spans = [(start - column, end - column) for number, start, end in marks if number == line]
            places = sorted({0, len(part), *(place for span in spans for place in span if 0 < place < len(part))})
            for start, end in pairwise(places):
                marked = any(first <= start < last for first, last in spans)
                yield getattr(kind, CHANGED.title()) if marked else kind, part[start:end]
            line, column = (line + 1, 0) if part.endswith("\n") else (line, column + len(part))


class ChangedWordsFormatter(HtmlFormatter):
    """Marks the words that the option `changed` lists: (line, start, end) of each."""

    def __init__(self, **options):
        super().__init__(**options)
        self.changed = options.get(CHANGED, [])

    def format_unencoded(self, tokensource, outfile):
        super().format_unencoded(cut(tokensource, self.changed) if self.changed else tokensource, outfile)

    def _get_css_classes(self, ttype):
        if ttype and ttype[-1] == CHANGED.title():
            return f"{super()._get_css_classes(ttype.parent)} {CHANGED}".strip()
        return super()._get_css_classes(ttype)
