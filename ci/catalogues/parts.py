"""Parse a block of Markdown into the parts that a translation must keep: code, math, links, emphasis and so on."""

import html
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from markdown_it.token import Token

from ci.book import markdown

OBJECT = "\ufffc"  # replaces code, math and the like in the prose of a message
# Some viewers take these for a link, math or HTML although the Markdown of the book does not.
LIKE_A_LINK = re.compile(
    r"(?i)(?:javascript|vbscript):\S*|\bdata:\S+|[a-z][a-z0-9+.-]*://\S+|www\.\S+|\]\(\S*|\S+@\S+\.\S+"
)
LIKE_A_MARK = re.compile(r"[*_`]|~~|^\[[ xX]\]\s")
LIKE_MATH = re.compile(r"\\begin\{|\\\\?[(\[]")
LIKE_HTML = re.compile(r"<\S*")
FOOTNOTE = re.compile(r"\[\^[^\]]+\]")
IN_BRACES = re.compile(r"\{[^{}]*\}|[{}]")
WITH_CONTENT = ("html_block", "fence", "colon_fence", "code_block", "math_block", "myst_line_comment", "myst_target")
# {type of a token within a paragraph: (the attribute of `Parts` that counts it, the function for the counted text)}
COUNTED: dict[str, tuple[str, Callable[[Token], str]]] = {
    "code_inline": ("code", lambda token: token.content),
    "math_inline": ("math", lambda token: token.content),
    "math_inline_double": ("math", lambda token: f"$${token.content}$$"),
    "image": ("images", lambda token: str(token.attrs["src"])),
    "html_inline": ("html", lambda token: token.content),
    "myst_role": ("html", lambda token: f"{{{token.meta['name']}}} {token.content}"),
    "strong_open": ("emphasis", lambda token: "**"),
    "em_open": ("emphasis", lambda token: "*"),
}

Flow = list[tuple[str, str]]  # (kind, text) in the order of the block: "text", "link" (its text), "code" or "other"


@dataclass
class Parts:
    """The parts of a block of Markdown, most of them counted."""

    blocks: list[str] = field(default_factory=list)  # the types of the block elements
    code: Counter[str] = field(default_factory=Counter)
    math: Counter[str] = field(default_factory=Counter)
    links: Counter[str] = field(default_factory=Counter)  # targets, as `_link_key` names them
    addresses: Counter[str] = field(default_factory=Counter)  # text that other viewers take for a link
    images: Counter[str] = field(default_factory=Counter)
    html: Counter[str] = field(default_factory=Counter)
    footnotes: Counter[str] = field(default_factory=Counter)
    braces: Counter[str] = field(default_factory=Counter)  # text in braces in the prose, such as substitutions
    emphasis: Counter[str] = field(default_factory=Counter)
    marks: int = 0  # asterisks, underscores and backticks that are shown literally
    flow: Flow = field(default_factory=list)

    @property
    def prose(self) -> str:
        """The text, with `OBJECT` in place of each piece of code, math and the like."""
        return "".join(text if kind in ("text", "link") else OBJECT for kind, text in self.flow)

    def add_inline(self, tokens: Sequence[Token]) -> None:
        """Add the tokens within a paragraph, heading or the like."""
        target, link_begins = "", 0
        for token in tokens:
            match token.type:
                case "link_open":
                    target, link_begins = " ".join(map(str, token.attrs.values())), len(self.flow)
                case "link_close":
                    self.links[_link_key(self.flow[link_begins:], target)] += 1
                    target = ""
                case "text" | "text_special":
                    self._add_text(token.content)
                    self.flow.append(("link" if target else "text", token.content))
                case "softbreak" | "hardbreak":
                    self.flow.append(("text", " "))
                case kind if kind in COUNTED:
                    counter, key = COUNTED[kind]
                    getattr(self, counter)[key(token)] += 1
                    if counter != "emphasis":
                        self.flow.append(("code" if counter == "code" else "other", token.content))

    def _add_text(self, text: str) -> None:
        """Count the parts of a text that other viewers, or a reader, would take for markup."""
        self.marks += len(LIKE_A_MARK.findall(text))
        self.addresses.update(LIKE_A_LINK.findall(text))
        self.html.update(LIKE_HTML.findall(text))
        self.braces.update(IN_BRACES.findall(text))


def _link_key(flow: Flow, target: str) -> str:
    """Return a key of a link from its target and the code in its text, to notice if two targets are exchanged."""
    code = [f"`{text}` ->" for kind, text in flow if kind == "code"] if flow else ["(no text) ->"]
    return " ".join([*code, target])


@lru_cache(maxsize=4096)
def parts(text: str) -> Parts:
    """Parse a block of Markdown into its `Parts`; the result is cached, so do not change it."""
    plain = html.unescape(text)
    block = Parts(math=Counter(LIKE_MATH.findall(plain)), footnotes=Counter(FOOTNOTE.findall(plain)))
    for token in markdown.parser().parse(text):
        if token.type in WITH_CONTENT:
            block.html[token.content] += 1
        if token.type == "inline":
            block.add_inline(token.children or ())
        elif token.nesting != -1 and token.level == 0:
            block.blocks.append(token.type)
    return block
