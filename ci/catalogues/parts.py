"""What a block of Markdown is made of, as far as a translation must take it over."""

import html
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

from ci.book import markdown
from ci.catalogues.fault import OBJECT

# What some viewer takes for a link, math or HTML although the Markdown of the book does not.
LIKE_A_LINK = re.compile(
    r"(?i)(?:javascript|vbscript):\S*|\bdata:\S+|[a-z][a-z0-9+.-]*://\S+|www\.\S+|\]\(\S*|\S+@\S+\.\S+"
)
LIKE_A_MARK = re.compile(r"[*_`]|~~|^\[[ xX]\]\s")
LIKE_MATH = re.compile(r"\\begin\{|\\\\?[(\[]")
LIKE_HTML = re.compile(r"<\S*")
FOOTNOTE = re.compile(r"\[\^[^\]]+\]")
IN_BRACES = re.compile(r"\{[^{}]*\}|[{}]")
WITH_CONTENT = ("html_block", "fence", "colon_fence", "code_block", "math_block", "myst_line_comment", "myst_target")
EMPHASIS = {"strong_open": "**", "em_open": "*"}


@dataclass
class Parts:
    """The parts of a block, most of them counted.

    Attributes:
      links: targets; a link whose text has inline code counts as "`code` -> target".
      addresses: what is no link here, but would be one in another viewer.
      braces: what stands in braces in prose: substitutions and the like.
      marks: asterisks, underscores and backticks that are printed as they stand.
      flow: (kind, text) one after the other; kind is "text", "link" (the text of one), "code" or "other".
    """

    blocks: list = field(default_factory=list)
    code: Counter = field(default_factory=Counter)
    math: Counter = field(default_factory=Counter)
    links: Counter = field(default_factory=Counter)
    addresses: Counter = field(default_factory=Counter)
    images: Counter = field(default_factory=Counter)
    html: Counter = field(default_factory=Counter)
    footnotes: Counter = field(default_factory=Counter)
    braces: Counter = field(default_factory=Counter)
    emphasis: Counter = field(default_factory=Counter)
    marks: int = 0
    flow: list = field(default_factory=list)

    @property
    def prose(self):
        """The text alone, with one character for each piece of code, math and the like."""
        return "".join(text if kind in ("text", "link") else OBJECT for kind, text in self.flow)


@lru_cache(maxsize=4096)
def parts(text):
    """Parses one block of Markdown into its `Parts`, which nobody may change."""
    plain = html.unescape(text)
    found = Parts(math=Counter(LIKE_MATH.findall(plain)), footnotes=Counter(FOOTNOTE.findall(plain)))
    for token in markdown.parser().parse(text):
        if token.type in WITH_CONTENT:
            found.html[token.content] += 1
        if token.type == "inline":
            add_inline(found, token.children)
        elif token.nesting != -1 and token.level == 0:
            found.blocks.append(token.type)
    return found


def add_inline(found, children):
    href, code_in_link = None, []
    for child in children:
        kind, text = "other", child.content
        match child.type:
            case "code_inline":
                found.code[child.content] += 1
                kind = "code"
                code_in_link.append(child.content)
            case "math_inline" | "math_inline_double":
                found.math[child.content if child.type == "math_inline" else f"$${child.content}$$"] += 1
            case "link_open":
                href, code_in_link, kind = " ".join(map(str, child.attrs.values())), [], None
                before = len(found.flow)
            case "link_close":
                text = [f"`{code}` ->" for code in code_in_link] if len(found.flow) > before else ["(no text) ->"]
                found.links[" ".join([*text, href])] += 1
                href, kind = None, None
            case "image":
                found.images[child.attrs["src"]] += 1
            case "html_inline":
                found.html[child.content] += 1
            case "myst_role":
                found.html[f"{{{child.meta['name']}}} {child.content}"] += 1
            case "strong_open" | "em_open":
                found.emphasis[EMPHASIS[child.type]] += 1
                kind = None
            case "text" | "text_special":
                found.marks += len(LIKE_A_MARK.findall(child.content))
                found.addresses.update(LIKE_A_LINK.findall(child.content))
                found.html.update(LIKE_HTML.findall(child.content))
                found.braces.update(IN_BRACES.findall(child.content))
                kind = "link" if href else "text"
            case "softbreak" | "hardbreak":
                kind, text = "text", " "
            case _:
                kind = None
        if kind:
            found.flow.append((kind, text))
