"""Find what is wrong with the prose of a chapter: MyST syntax, dead links, and pictures from files.

The notebooks are also read in Jupyter, in Colab and on GitHub, which render only Markdown and math.
"""

import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import unquote

from markdown_it.token import Token

from ci.book import markdown, nearest
from ci.notebooks.cells import Chapter

DIRECTIVE = "is a directive of MyST, which shows literally in a notebook: write what is in it as a paragraph"
ROLE = "a role of MyST"
KINDS = {
    "myst_role": ("{{{name}}}`{text}`", ROLE, "write it as plain Markdown: `code`, *emphasis*, a link"),
    "myst_target": ("({text})=", "a target of MyST", "take it out; a heading can be linked to as it is"),
    "myst_line_comment": ("% {text}", "a comment of MyST", "take it out"),
    "html_block": ("{text}", "HTML", "write it as Markdown, or take it out"),
    "html_inline": ("{text}", "HTML", "write it as Markdown, in backticks if it is code"),
    "footnote_ref": ("[^{label}]", "a footnote", "say it in the text"),
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
