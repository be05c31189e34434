"""Write highlighted code with links in it, and with the words marked in which it differs from the code beside it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from typing import Any, NamedTuple

from pygments.formatters import HtmlFormatter
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

MARKS = "marks"  # the formatter's option for what it marks
CHANGED = "changed"  # the CSS class of words that differ
# Names, signs and spaces, the most frequent tokens, have the colour of plain text. With tags around them a page is a
# fifth larger, even compressed.
PLAIN = re.compile(r'<span class="(?:n|nb|nn|bp|o|p|w)">([^<]*)</span>')
RUN = re.compile(r'<span class="([^"]*)">([^<]*)</span>|([^<]+)')  # what Pygments makes of one or more tokens
CHARACTER = re.compile(r"&#?\w+;|.", re.DOTALL)


class Mark(NamedTuple):
    """A part of a line of code.

    Attributes:
      line: The line, counted from 1.
      start: The column of the first character, counted from 0.
      end: The column after the last character.
      address: Where the part leads; "" if its words differ from those of the code beside it.
    """

    line: int
    start: int
    end: int
    address: str = ""


class Character(NamedTuple):
    """A character of highlighted code, as HTML, with what holds for it."""

    address: str
    css: str
    html: str


def characters(html: str, marks: Iterable[Mark]) -> Iterator[Character]:
    """Yield the characters of a line of highlighted code."""
    runs = RUN.findall(html)
    parts = ((css, part) for css, inner, plain in runs for part in CHARACTER.findall(inner or plain))
    for column, (css, part) in enumerate(parts):
        here = [mark for mark in marks if mark.start <= column < mark.end]
        address = next((mark.address for mark in here if mark.address), "")
        is_changed = any(not mark.address for mark in here)
        yield Character(address, f"{css} {CHANGED}".strip() if is_changed else css, part)


def marked(html: str, marks: Iterable[Mark]) -> str:
    """Return a line of highlighted code with marks."""
    line = ""
    for address, linked in groupby(characters(html, marks), key=lambda character: character.address):
        runs = ((css, "".join(one.html for one in run)) for css, run in groupby(linked, key=lambda one: one.css))
        code = "".join(f'<span class="{css}">{text}</span>' if css else text for css, text in runs)
        line += f'<a href="{escape(address)}">{code}</a>' if address else code
    return line


class MarkingFormatter(HtmlFormatter):
    """Pygments' formatter for HTML, with an option `marks` for a list of `Mark`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.marks: dict[int, list[Mark]] = defaultdict(list)
        for mark in options.get(MARKS, []):
            self.marks[mark.line].append(mark)

    def _format_lines(self, tokensource: Iterable[Any]) -> Iterator[tuple[int, str]]:
        """Yield (1, line); Pygments documents this method as the one that a subclass changes lines by."""
        for number, (is_code, line) in enumerate(super()._format_lines(tokensource), start=1):
            html = PLAIN.sub(r"\1", line)
            yield is_code, marked(html, self.marks[number]) if number in self.marks else html


def use_formatter(app: Sphinx) -> None:
    """Highlight code by this formatter in all that is HTML."""
    if isinstance(app.builder, StandaloneHTMLBuilder):
        app.builder.highlighter.formatter = MarkingFormatter


def setup_highlighting(app: Sphinx) -> None:
    """Use the formatter."""
    app.connect("builder-inited", use_formatter)
