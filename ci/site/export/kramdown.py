"""Writes Markdown, code and outputs so that Jekyll shows them as they are.

Its Markdown, kramdown, has all math between double dollars, makes a table of any paragraph with a bar in it, and takes
`{:` for attributes. Its templates, Liquid, are whatever has `{{` or `{%`, also in code.
"""

import html
import itertools
import re

from bs4 import BeautifulSoup, Comment
from nbconvert.filters import strip_ansi

from ci.book import markdown

LIQUID, END_OF_RAW = re.compile(r"\{[{%]"), re.compile(r"\{(?=%-?\s*endraw)")
KEPT_TAGS = {
    *("table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"),
    *("b", "br", "code", "div", "em", "i", "li", "ol", "p", "pre", "span", "strong", "ul"),
}
KEPT_ATTRIBUTES = ("colspan", "rowspan")

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


def rewrite(text, resolve):
    """Returns the Markdown of a cell as kramdown needs it.

    Args:
      text: Markdown as this book writes it.
      resolve: is given the target of each link and returns the one to write.
    """
    lines = text.split("\n")
    for first, stop, new in sorted(changes(lines, resolve), reverse=True):
        lines[first:stop] = new
    return "\n".join(lines)


def changes(lines, resolve):
    """Yields (first, stop, new): lines first..stop-1 become the lines `new`; each line is in one of them at most."""
    tokens = markdown.parser().parse("\n".join(lines))
    rows = set()
    for opener, token in itertools.pairwise(tokens):
        if token.type == "inline" and opener.type in ("th_open", "td_open"):
            rows.add(token.map[0])
        elif token.type == "inline":
            first, stop = token.map
            yield first, stop, spans("\n".join(lines[first:stop]), resolve).split("\n")
    for token in tokens:
        if token.type in ("math_block", "math_block_label"):
            yield *token.map, display(lines, *token.map, token.content)
        if token.type == "table_open" and is_text(lines, token.map[0] - 1):
            yield token.map[0], token.map[0], [""]  # kramdown begins a table after an empty line only
    for row in rows:
        yield row, row + 1, [spans(lines[row], resolve, in_table=True)]


def spans(text, resolve, in_table=False):
    """Rewrites the math, the links and the odd characters in the lines of a block, and no code."""

    def rewritten(match):
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


def code_with_bar(code):
    """Writes code of a table as HTML; from its Markdown kramdown would take the backslash before the bar as well."""
    code = html.escape(code.strip().replace(r"\|", "|"), quote=False)
    return f"<code>{code.replace('|', '&#124;')}</code>"


def without_bars(math, in_table):
    """Says `|` in other words; in a table it is escaped."""
    return re.sub(r"\\\|" if in_table else r"(?<!\\)\|", r"\\vert ", math)


def display(lines, first, stop, math):
    """Puts the formula in lines first..stop-1 on lines of its own, with empty ones around; an item of a list stays."""
    margin = lines[first].partition("$$")[0]
    if margin.strip(" >"):
        return lines[first:stop]
    formula = [margin + line for line in ("$$", *math.strip().split("\n"), "$$")]
    if is_text(lines, first - 1):
        formula.insert(0, margin.rstrip())
    if is_text(lines, stop):
        formula.append(margin.rstrip())
    return formula


def is_text(lines, number):
    """Whether there is a line of this number, and something in it."""
    return 0 <= number < len(lines) and bool(lines[number].strip(" >"))


def escaped(text):
    """Text in which nothing is Markdown or Liquid."""
    return re.sub(r"([\\`*_\[\]{}<>#|$])", r"\\\1", text)


def paragraph(text):
    """A piece of the post, followed by an empty line; Liquid, in which Jekyll has its templates, does not read it."""
    text = text.strip("\n")
    if LIQUID.search(text):
        text = END_OF_RAW.sub('{% endraw %}{{ "{" }}{% raw %}', text)
        text = f"{{% raw %}}\n{text}\n{{% endraw %}}"
    return f"{text}\n\n" if text.strip() else ""


def fenced(text, language):
    """A block of code between fences that are longer than any within."""
    if not text.strip():
        return ""
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", text))])
    code = text.removesuffix("\n")
    return paragraph(f"{fence}{language}\n{code}\n{fence}")


def printed(text):
    """What a terminal would show of an output in the end: no colours, and no line that was printed over."""
    return re.sub(r"[^\n]*\r(?=[^\r\n])", "", strip_ansi(text)).replace("\r", "")


def harmless(source):
    """What there is to read in an output of HTML, with nothing that acts, loads or styles; "" if there is nothing."""
    soup = BeautifulSoup(source, "html.parser")
    for piece in [*soup(["script", "style", "template"]), *soup(string=lambda text: isinstance(text, Comment))]:
        piece.extract()
    for tag in soup(True):
        tag.attrs = {key: value for key, value in tag.attrs.items() if key in KEPT_ATTRIBUTES}
        if tag.name not in KEPT_TAGS:
            tag.unwrap()
    return re.sub(r"\n\s*\n", "\n", str(soup).strip()) if soup.get_text(strip=True) else ""
