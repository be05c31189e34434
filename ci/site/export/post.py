"""Export a chapter as a post for a Jekyll blog, from its source and the outputs stored in its notebook.

Jekyll renders a post with Liquid, its templates, and then with kramdown, its Markdown. The post does not depend on the
site: its figures are copied into the blog, its formulas are MathML, and its links are absolute URLs.
"""

import datetime
import errno
import posixpath
import re
from base64 import b64decode
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten

import yaml

from ci import _
from ci.book import Book, BookError, files, markdown
from ci.catalogues import po
from ci.catalogues.sentences import sentences
from ci.execution import stored
from ci.site.export.markdown import FIGURES, TEXT, Page, Piece, fenced
from ci.site.extension.cells.labels import FOLDED
from ci.site.extension.output import mathml

OPEN, AUTHOR = _("Open in Colab"), _("Author: {author}")
PAGE, SOURCE = _("This chapter in the book"), _("View the source")
LICENCE = "[CC BY 4.0](https://creativecommons.org/licenses/by/4.0/)"
BADGE = Path(__file__).parent / "templates" / "badge.svg"
FOLDER = "figures:"  # prefix of the URL of a figure; replaced by the Liquid expression for the folder
LIQUID = re.compile(r"\{[{%]")
CODE = r"(?P<code>(?<!`)(`+)(?!`).*?(?<!`)\2(?!`))"
FORMULA = r"(?<!\\)(?P<mark>\${1,2})(?P<tex>.+?)(?<!\\)(?P=mark)"
ACTIVE = r"<(?!https?:)|\{:"  # HTML and the attributes of kramdown, which are text in the book
OTHER_IN_KRAMDOWN = re.compile(f"{CODE}|{FORMULA}|{ACTIVE}", re.DOTALL)
LONGEST = 200  # characters of a description


@dataclass(frozen=True)
class Post:
    """A chapter to export in one language, with the path of its notebook and the names in the blog."""

    book: Book
    page: str
    language: str

    @property
    def notebook(self) -> Path:
        """The path of the notebook."""
        return self.book.notebook(self.page, self.language)

    @property
    def name(self) -> str:
        """The name of the post in the blog, without its date."""
        return f"{posixpath.basename(self.page)}-{self.language}"

    @property
    def assets(self) -> str:
        """The folder of the figures, relative to the root of the blog."""
        return f"assets/{self.book.name}/{self.name}"


def credit(post: Post) -> str:
    """Return the last line of a post: the author, links to the chapter, and the licence."""
    gettext, author = sentences(post.book, post.language).gettext, post.book.config["author"]
    people = [gettext(AUTHOR).format(author=author)] if author else []
    page = f"[{gettext(PAGE)}]({post.book.address(post.page, post.language)})"
    return " · ".join([*people, page, f"[{gettext(SOURCE)}]({post.book.in_repository(post.notebook)})", LICENCE])


def for_kramdown(page: str, text: str) -> str:
    """Return Markdown of a page as kramdown reads it, with formulas as MathML."""

    def replaced(match: re.Match[str]) -> str:
        if match["tex"]:
            formula = mathml.convert(page, match["tex"], as_block=match["mark"] == "$$").replace("|", "&#124;")
            return "{::nomarkdown}" + "".join(map(str.strip, formula.splitlines())) + "{:/nomarkdown}"
        return match[0] if match["code"] else f"\\{match[0]}"

    return OTHER_IN_KRAMDOWN.sub(replaced, text)


def body_of(page: Page) -> tuple[str, dict[str, bytes]]:
    """Return the Markdown of a page, with hidden cells folded, and {file: content} of its figures."""
    figures, blocks = dict[str, bytes](), list[str]()

    def shown(piece: Piece) -> str:
        if piece.kind not in FIGURES:
            return for_kramdown(page.name, piece.content) if piece.kind == TEXT else fenced(piece)
        name = f"figure-{len(figures) + 1}{FIGURES[piece.kind]}"
        figures[name] = piece.content.encode() if "svg" in piece.kind else b64decode(piece.content)
        description = re.sub(r"[][]", r"\\\g<0>", piece.description)
        return f"![{description}]({FOLDER}{name})"

    for tags, pieces in page.cells():
        texts = [shown(piece) for piece in pieces]
        if hidden := len(texts) if "hide-cell" in tags else int("hide-input" in tags):
            summary = f"<summary>{page.gettext(FOLDED)}</summary>"
            texts[:hidden] = [f'<details markdown="1">{summary}', *texts[:hidden], "</details>"]
        blocks += texts
    return "\n\n".join(blocks), figures


def firsts(page: Page) -> list[str]:
    """Return the texts of the first heading and the first paragraph of a page, without markup."""
    sources = [page.text(cell.source).content for cell in page.notebook.cells if cell.cell_type == "markdown"]
    blocks = markdown.parser().parse("\n\n".join(sources))
    tokens = (block.children or [] for block in blocks if block.type == "inline")
    return ["".join(child.content or " " * (child.type == "softbreak") for child in next(tokens)) for _ in range(2)]


def render(post: Post, created: datetime.date, changed: datetime.date) -> tuple[str, dict[str, bytes]]:
    """Return the text of a post and {file: content} of its assets.

    Args:
      created: The date of the post.
      changed: The date of its last change.

    Raises:
      BookError: The notebook is missing, or has other code than the chapter.
    """
    book, gettext = post.book, sentences(post.book, post.language).gettext
    messages = po.load(book.catalogue(post.page, post.language))
    page = Page(book, post.page, post.language, stored.with_stored_outputs(book, post.page), messages, gettext)
    body, figures = body_of(page)
    title, description = firsts(page)
    front = {
        "layout": "post",
        "title": title,
        "lang": post.language,
        "description": (description := shorten(description, LONGEST, placeholder=" ...")),
        "excerpt": description,  # without it, Jekyll's would be the first paragraph, which is the badge
        "canonical_url": book.address(post.page, post.language),
    }
    badge = f"[![{gettext(OPEN)}]({FOLDER}{BADGE.name})]({book.in_colab(post.notebook)})"
    text = "\n\n".join([badge, body.partition("\n")[2].strip(), "* * *", credit(post)])  # Jekyll shows the title
    text = LIQUID.sub(r"{{ '\g<0>' }}", text).replace(f"({FOLDER}", f"({{{{ '/{post.assets}' | relative_url }}}}/")
    header = (
        f"{yaml.safe_dump(front, allow_unicode=True, sort_keys=False)}date: {created}\nlast_modified_at: {changed}"
    )
    return f"---\n{header}\n---\n\n{text}\n", {BADGE.name: BADGE.read_bytes(), **figures}


def last_change(post: Post) -> datetime.date:
    """Return the date of the last commit that touched the notebook; today if there is none."""
    day = (post.book.git("log", "-1", "--format=%cs", "--", str(post.notebook)) or "").strip()
    return datetime.date.fromisoformat(day) if day else datetime.date.today()


def first_date(folder: Path, name: str) -> datetime.date | None:
    """Return the date of the existing post, or None. The date is part of the URL, so a new export must keep it."""
    pattern = re.compile(rf"(\d{{4}}-\d\d-\d\d)-{re.escape(name)}\.(?:html|md)")
    posts = filter(None, (pattern.fullmatch(path.name) for path in (folder / "_posts").glob("*")))
    return max((datetime.date.fromisoformat(match[1]) for match in posts), default=None)


def export(post: Post, folder: Path) -> Path:
    """Write a post and its assets into the folder of a blog, and delete the figures that it no longer shows.

    Returns:
      The path of the post.

    Raises:
      BookError: As for `render`, or a path cannot be written; the folder is then unchanged.
    """
    if folder.is_file():
        raise BookError(_("{file} is a file: name a folder"), file=folder)
    changed = last_change(post)
    created = first_date(folder, post.name) or changed
    text, assets = render(post, created, changed)
    path = folder / "_posts" / f"{created}-{post.name}.md"
    contents = {folder / post.assets / file: content for file, content in assets.items()}
    try:
        files.write_all(contents | {path: text.encode()})
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        sentence = _("cannot write {file} ({reason}): name another folder")
        raise BookError(sentence, file=error.filename, reason=error.strerror) from error
    for old in set((folder / post.assets).glob("figure-*")).difference(contents):
        old.unlink()
    path.with_suffix(".html").unlink(missing_ok=True)  # what this command wrote before it wrote Markdown
    return path
