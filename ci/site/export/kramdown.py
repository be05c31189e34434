"""Write Markdown so that Jekyll shows it unchanged.

kramdown, the Markdown of Jekyll, encloses all math in double dollars, makes a table of any paragraph with a bar, and
takes `{:` for attributes. Liquid, its template language, acts on `{{` and `{%`, also in code.
"""

import html
import itertools
import re
from collections.abc import Callable, Iterator

from markdown_it.token import Token

from ci.book import markdown

LIQUID, END_OF_RAW = re.compile(r"\{[{%]"), re.compile(r"\{(?=%-?\s*endraw)")
SPANS = re.compile(
    r"""
    (?P<escaped>\\.)
    | (?P<ticks>(?<!`)`+(?!`)) (?P<code>.+?) (?<!`)(?P=ticks)(?!`)
    | (?P<dollars>\$\$?) (?P<math>(?:\\.|[^$\\])+) (?P=dollars)
    | (?<=\]\() (?P<target>[^\s()<>]+)
    | (?P<bar>\|)
    | (?P<attributes>\{(?=:))
    """,
    re.DOTALL | re.VERBOSE,
)


def rewrite(text: str, resolve: Callable[[str], str]) -> str:
    """Return the Markdown of a cell as kramdown needs it.

    Args:
      text: Markdown in the dialect of the book.
      resolve: returns the target to write for the target of a link.
    """
    lines = text.split("\n")
    for first, stop, new in sorted(changes(lines, resolve), reverse=True):
        lines[first:stop] = new
    return "\n".join(lines)


def lines_of(token: Token) -> tuple[int, int]:
    """Return (first, stop): a block has the lines first..stop-1 of its source."""
    first, stop = token.map or (0, 0)
    return first, stop


def changes(lines: list[str], resolve: Callable[[str], str]) -> Iterator[tuple[int, int, list[str]]]:
    """Yield (first, stop, new) where the lines first..stop-1 become the lines `new`; changes do not overlap."""
    tokens = markdown.parser().parse("\n".join(lines))
    rows = set()
    for opener, token in itertools.pairwise(tokens):
        first, stop = lines_of(token)
        if token.type == "inline" and opener.type in ("th_open", "td_open"):
            rows.add(first)
        elif token.type == "inline":
            yield first, stop, rewrite_spans("\n".join(lines[first:stop]), resolve).split("\n")
    for token in tokens:
        first, stop = lines_of(token)
        if token.type in ("math_block", "math_block_label"):
            yield first, stop, displayed(lines, first, stop, token.content)
        if token.type == "table_open" and has_text(lines, first - 1):
            yield first, first, [""]  # kramdown begins a table only after an empty line
    for row in rows:
        yield row, row + 1, [rewrite_spans(lines[row], resolve, in_table=True)]


def rewrite_spans(text: str, resolve: Callable[[str], str], in_table: bool = False) -> str:
    """Rewrite the math, links and special characters of a block or of a row of a table; code stays as it is."""

    def rewritten(match: re.Match[str]) -> str:
        if match["code"] and in_table and "|" in match["code"]:
            return code_with_bar(match["code"])
        if match["math"]:
            return f"$${without_bars(match['math'].strip(), in_table)}$$"
        if match["target"]:
            return resolve(match["target"])
        if match["bar"]:
            return "|" if in_table else r"\|"
        return r"\{" if match["attributes"] else match[0]

    return SPANS.sub(rewritten, text)


def code_with_bar(code: str) -> str:
    """Return code of a table as HTML, since kramdown would show the backslash that escapes its bar."""
    code = html.escape(code.strip().replace(r"\|", "|"), quote=False)
    return f"<code>{code.replace('|', '&#124;')}</code>"


def without_bars(math: str, in_table: bool) -> str:
    r"""Return math with `\vert` for each bar; in a table a bar is escaped."""
    return re.sub(r"\\\|" if in_table else r"(?<!\\)\|", r"\\vert ", math)


def displayed(lines: list[str], first: int, stop: int, math: str) -> list[str]:
    """Return a displayed formula with its dollars on lines of their own and empty lines around it.

    A formula that begins on the first line of a list item stays as it is.

    Args:
      lines: the whole text, of which the formula has the lines first..stop-1.
      math: the formula without dollars.
    """
    margin = lines[first].partition("$$")[0]
    if margin.strip(" >"):
        return lines[first:stop]
    formula = [margin + line for line in ("$$", *math.strip().split("\n"), "$$")]
    before = [margin.rstrip()] if has_text(lines, first - 1) else []
    after = [margin.rstrip()] if has_text(lines, stop) else []
    return before + formula + after


def has_text(lines: list[str], number: int) -> bool:
    """Return whether a line exists and is not empty; the marks of a quotation do not count."""
    return 0 <= number < len(lines) and bool(lines[number].strip(" >"))


def escaped(text: str) -> str:
    """Return Markdown that shows a text; Liquid does not act on it either."""
    return re.sub(r"([\\`*_\[\]{}<>#|$])", r"\\\1", text)


def paragraph(text: str) -> str:
    """Return a part of the post with an empty line after it; "" for a text without words.

    Where Liquid would act on the text, it is told not to read it.
    """
    text = text.strip("\n")
    if LIQUID.search(text):
        text = END_OF_RAW.sub('{% endraw %}{{ "{" }}{% raw %}', text)
        text = f"{{% raw %}}\n{text}\n{{% endraw %}}"
    return f"{text}\n\n" if text.strip() else ""


def fenced(text: str, language: str) -> str:
    """Return a code block; its fences are longer than any in the text."""
    if not text.strip():
        return ""
    fence = "`" * max([3, *(len(ticks) + 1 for ticks in re.findall("`+", text))])
    code = text.removesuffix("\n")
    return paragraph(f"{fence}{language}\n{code}\n{fence}")


def folded(summary: str, text: str) -> str:
    """Return a part of the post that a reader opens by its summary."""
    return f'<details markdown="1">\n<summary>{summary}</summary>\n\n{text}</details>\n\n'
