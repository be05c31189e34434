"""Find what is wrong with the prose of a chapter or a page: forms that not all viewers and languages show alike.

The notebooks are also read in Jupyter, in Colab and on GitHub, which render only Markdown and math.
"""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from markdown_it.token import Token

from ci.book import markdown, nearest
from ci.catalogues import parts
from ci.notebooks.cells import Chapter

DIRECTIVE = "is a directive of MyST, which shows literally in a notebook: write what is in it as a paragraph"
ROLE = "a role of MyST"
KINDS = {
    "myst_role": ("{{{name}}}`{text}`", ROLE, "write it as plain Markdown: `code`, *emphasis*, a link"),
    "myst_target": ("({text})=", "a target of MyST", "take it out; a heading can be linked to as it is"),
    "myst_line_comment": ("% {text}", "a comment of MyST", "take it out"),
    "html_block": ("{text}", "HTML", "write it as Markdown, or take it out"),
    "html_inline": ("{text}", "HTML", "write it as Markdown, in backticks if it is code"),
    "footnote_reference_open": ("[^{label}]:", "a footnote", "say it in the text"),
    "math_block_label": ("{text}", "a formula with a label", "take the label out"),
}
LOST = {  # in a translation, which is one line by itself
    "hardbreak": "the break of a line is lost in a translation: begin a paragraph, or an item of a list",
    "footnote_ref": "a footnote is lost in a translation: say it in the text",
}
CODE_OR_MATH = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|(?<![\\$])\$(?:\\.|[^$\\])+\$", re.DOTALL)
LATEX = re.compile(r"\\[(\[]|\\begin\{|(?<!\\)\$")
FORMULA = "write a formula as $...$, or between two lines $$ with empty lines around, and a dollar sign as \\$"
# {what Jupyter, Colab or GitHub show otherwise than the site: how to write it}
LITERAL = {
    re.compile(r"~~|(?<!~)~[^~\s](?:[^~]*[^~\s])?~(?!~)"): "text struck out in notebooks only: take the tildes out",
    re.compile(r"^\[[ xX]\]\s"): "a box to tick in notebooks only: say it in words",
    re.compile(r"#\s*noqa$"): "a sign for Sphinx, which a translation loses: write it in backticks",
    re.compile(r"\]\("): "no link as it stands: write [text](address), with %20 for a space",
    parts.LIKE_A_LINK: "a link in notebooks only: write <address>, or [text](address)",
}
COLON_FENCE = re.compile(r"^:::+.*", re.MULTILINE)
WHOLE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


@lru_cache(maxsize=1024)
def pieces(source: str) -> list[tuple[int, Token]]:
    """Return (line, token) for each block of Markdown and each token within it; lines are counted from 0."""
    pieces = []
    for token in markdown.parser().parse(source):
        first, stop = token.map or (0, 0)
        pieces.append((first, token))
        lines = source.split("\n")[first:stop]
        for child in token.children or []:
            words = child.attrs.get("href") or child.attrs.get("src") or child.content
            numbers = (number for number, line in enumerate(lines, start=first) if words and str(words) in line)
            pieces.append((next(numbers, first), child))
    return pieces


def places(chapter: Chapter) -> Iterator[tuple[int, str, Token]]:
    """Yield (line of the file, name of the cell, token) for the prose of a chapter, with the tokens of `pieces`."""
    for cell in chapter.prose:
        for line, piece in pieces(cell.cell.source):
            yield cell.line + line, cell.name, piece


def shown(text: str) -> str:
    """Return the first line of a text, for a message."""
    return text.strip().partition("\n")[0][:60]


def directive(name: str) -> str:
    """Return what is wrong with a block of code whose language is in braces, as in a directive of MyST."""
    if hint := nearest(name, ["{code-cell}"]):
        return f"{name} makes no cell here{hint}: write it so, at the beginning of a line, outside of lists and quotes"
    return f"{name} {DIRECTIVE}"


def only_myst(chapter: Chapter) -> Iterator[tuple[int, str]]:
    """Yield (line, what is wrong) for syntax of MyST and HTML that a notebook would show literally, or not at all."""
    for line, name, piece in places(chapter):
        if piece.type in KINDS and not piece.content.startswith("</"):
            pattern, kind, repair = KINDS[piece.type]
            text = pattern.format(**{"name": "", **piece.meta, "text": shown(piece.content)})
            yield line, f"{name}: {text} is {kind}, which not every viewer of notebooks understands: {repair}"
        elif piece.type == "fence" and piece.info.startswith("{"):
            yield line, f"{name}: {directive(piece.info.strip())}"
        elif piece.type == "inline" and (found := COLON_FENCE.search(piece.content)):
            yield line, f"{name}: {shown(found[0])} {DIRECTIVE}"


def read_otherwise(chapter: Chapter) -> Iterator[tuple[int, str]]:
    """Yield (line, what is wrong) for text that is plain on the site and not so in notebooks."""
    for line, name, piece in places(chapter):
        block = parts.parts(piece.content) if piece.type == "inline" else parts.Parts()
        prose = "".join(text if kind == "text" else parts.OBJECT for kind, text in block.flow)
        for pattern, what in LITERAL.items():
            if found := pattern.search(prose):
                yield line, f"{name}: {shown(found[0])} is {what}"
                break
        if any(link.startswith("(no text)") for link in block.links):
            yield line, f"{name}: a link without text, which notebooks do not show: write [text](address)"


def formulas(chapter: Chapter) -> Iterator[tuple[int, str]]:
    """Yield (line, what is wrong) for formulas that are no formula, or another one, on the site or in Jupyter."""
    inside = Counter[str]()
    for line, name, piece in places(chapter):
        inside[piece.type.rpartition("_")[0]] += piece.nesting
        tex = piece.content if piece.type.startswith("math") else ""
        if piece.type == "inline" and (found := LATEX.search(CODE_OR_MATH.sub(parts.OBJECT, piece.content))):
            yield line, f"{name}: {found[0]} makes a formula in some viewers only: {FORMULA}"
        elif "\n" in tex and inside["blockquote"]:
            yield line, f"{name}: in a quote, notebooks show > in a formula of several lines: write it on one line"
        elif re.search(r"\n\s*\n", tex.strip()):
            yield line, f"{name}: for a notebook, the empty line in this formula ends it: take the line out"
        elif "|" in tex and (inside["td"] or inside["th"]):
            yield line, f"{name}: in a table, Jupyter takes \\| in a formula for two bars: write \\vert or \\Vert"


def untranslatable(chapter: Chapter) -> Iterator[tuple[int, str]]:
    """Yield (line, what is wrong) for text that a translation, which is a paragraph by itself, cannot have."""
    for cell in chapter.prose:
        known: dict[str, Any] = {}
        markdown.parser().parse(cell.cell.source, known)
        for link in known.get("references", {}).values():
            what = f"a translation has no links by name: write [text]({link['href']}), and take this line out"
            yield cell.line + link["map"][0], f"{cell.name}: {what}"
    for line, name, piece in places(chapter):
        if piece.type in LOST:
            yield line, f"{name}: {LOST[piece.type]}"
        alone = piece.content.replace("\n", " ").strip() if piece.type == "inline" else ""
        if re.search(r"[^\W\d_]", alone) and markdown.parser().parse(alone)[0].type != "paragraph_open":
            yield line, f"{name}: a translation takes {shown(alone)} for a list or the like: begin with a word"


def pictures(chapter: Chapter) -> Iterator[tuple[int, str]]:
    """Yield (line, what is wrong) for pictures in the text, which would be missing in a downloaded notebook."""
    for line, name, piece in places(chapter):
        if piece.type == "image":
            source = shown(str(piece.attrs["src"]))
            yield line, f"{name}: the picture {source} does not travel with a notebook: draw it in a code cell"


def dead_links(chapter: Chapter) -> Iterator[tuple[int, str]]:
    """Yield (line, what is wrong) for links that lead to no notebook of a chapter.

    Only relative links to notebooks work both in notebooks and on the site, which links to the page instead.
    """
    for line, name, piece in places(chapter):
        target = unquote(str(piece.attrs.get("href", "")) if piece.type == "link_open" else "")
        path = target.partition("#")[0]
        if path and not WHOLE.match(target) and (repair := repaired(chapter, path)):
            yield line, f"{name}: dead link {target}: {repair}"


def repaired(chapter: Chapter, path: str) -> str | None:
    """Return how to repair a relative link; None if it leads to the notebook of a chapter."""
    book, folder = chapter.book, posixpath.dirname(chapter.name)
    stem, kind = posixpath.splitext(path)
    page = posixpath.normpath(posixpath.join(folder, stem))
    if page in book.chapters:
        return None if kind == ".ipynb" else f"a chapter is linked to as its notebook: {stem}.ipynb"
    if page in book.pages:
        return f"{page} has no notebook: give its whole address, {book.address(page, book.source_language)}"
    known = [posixpath.relpath(other, folder) + ".ipynb" for other in book.chapters]
    return f"there is no such notebook{nearest(path, known)}: link to that of a chapter, or give a whole address"
