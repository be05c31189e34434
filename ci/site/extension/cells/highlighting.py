"""Write highlighted code with links, and with marks on the words that differ from the code beside it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from typing import Any, NamedTuple

from pygments.formatters import HtmlFormatter
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

MARKS = "marks"  # the option of the formatter: a list of `Mark`
CHANGED = "changed"  # the CSS class of words that differ
# Names, operators and whitespace, the most frequent tokens, have the colour of plain text, so their tags are removed:
# with them, a page is a fifth larger, even compressed.
PLAIN = re.compile(r'<span class="(?:n|nb|nn|bp|o|p|w)">([^<]*)</span>')
RUN = re.compile(r'<span class="([^"]*)">([^<]*)</span>|([^<]+)')  # a styled token, or text without a style
CHARACTER = re.compile(r"&#?\w+;|.", re.DOTALL)


class Mark(NamedTuple):
    """A part of a line of code that becomes a link, or is marked as changed."""

    line: int  # from 1
    start: int  # the column of its first character, from 0
    end: int  # the column after its last character
    address: str = ""  # the target of the link; "" for changed words


class _Character(NamedTuple):
    address: str
    css: str
    html: str


def _characters(html: str, marks: Iterable[Mark]) -> Iterator[_Character]:
    """Yield the characters of a line of highlighted code, each with its link and CSS classes."""
    runs = RUN.findall(html)
    parts = ((css, part) for css, inner, plain in runs for part in CHARACTER.findall(inner or plain))
    for column, (css, part) in enumerate(parts):
        here = [mark for mark in marks if mark.start <= column < mark.end]
        address = next((mark.address for mark in here if mark.address), "")
        is_changed = any(not mark.address for mark in here)
        yield _Character(address, f"{css} {CHANGED}".strip() if is_changed else css, part)


def _marked(html: str, marks: Iterable[Mark]) -> str:
    line = ""
    for address, linked in groupby(_characters(html, marks), key=lambda character: character.address):
        runs = ((css, "".join(one.html for one in run)) for css, run in groupby(linked, key=lambda one: one.css))
        code = "".join(f'<span class="{css}">{text}</span>' if css else text for css, text in runs)
        line += f'<a href="{escape(address)}">{code}</a>' if address else code
    return line


class MarkingFormatter(HtmlFormatter):
    """Pygments' formatter for HTML that marks changed words and links names: those in the option `marks`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.marks: dict[int, list[Mark]] = defaultdict(list)
        for mark in options.get(MARKS, []):
            self.marks[mark.line].append(mark)

    def _format_lines(self, tokensource: Iterable[Any]) -> Iterator[tuple[int, str]]:
        """Yield (whether it is code, HTML) for each line. Pygments documents this method as the one to override."""
        for number, (is_code, line) in enumerate(super()._format_lines(tokensource), start=1):
            html = PLAIN.sub(r"\1", line)
            yield is_code, _marked(html, self.marks[number]) if number in self.marks else html


def _use_formatter(app: Sphinx) -> None:
    if isinstance(app.builder, StandaloneHTMLBuilder):
        app.builder.highlighter.formatter = MarkingFormatter


def setup(app: Sphinx) -> None:
    """Use the formatter in all builders that write HTML."""
    app.connect("builder-inited", _use_formatter)
