"""Export a chapter as a post for a Jekyll blog, from its source and the outputs stored in its notebook.

Jekyll renders a post with Liquid, its templates, and then with kramdown, its Markdown. The post does not depend on the
site: its figures are copied into the blog, its formulas are MathML, and its links are absolute URLs.
"""

import datetime
import errno
import posixpath
import re
from base64 import b64decode
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


def credit(page: Page) -> str:
    """Return the last line of a post: the author, links to the chapter, and the licence."""
    book, gettext, author = page.book, page.gettext, page.book.config["author"]
    people = [gettext(AUTHOR).format(author=author)] if author else []
    chapter = f"[{gettext(PAGE)}]({book.address(page.name, page.language)})"
    source = f"[{gettext(SOURCE)}]({book.in_repository(book.notebook(page.name, page.language))})"
    return " · ".join([*people, chapter, source, LICENCE])


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


def render(page: Page, folder: str, **dates: datetime.date) -> tuple[str, dict[str, bytes]]:
    """Return the text of a post and {file: content} of its assets, given their folder, relative to that of the blog.

    The front matter says the dates.
    """
    book, (body, figures), (title, description) = page.book, body_of(page), firsts(page)
    front = {
        "layout": "post",
        "title": title,
        "lang": page.language,
        "description": (description := shorten(description, LONGEST, placeholder=" ...")),
        "excerpt": description,  # without it, Jekyll's would be the first paragraph, which is the badge
        "canonical_url": book.address(page.name, page.language),
    }
    notebook = book.in_colab(book.notebook(page.name, page.language))
    badge = f"[![{page.gettext(OPEN)}]({FOLDER}{BADGE.name})]({notebook})"
    text = "\n\n".join([badge, body.partition("\n")[2].strip(), "* * *", credit(page)])  # Jekyll shows the title
    text = LIQUID.sub(r"{{ '\g<0>' }}", text).replace(f"({FOLDER}", f"({{{{ '/{folder}' | relative_url }}}}/")
    header = yaml.safe_dump(front, allow_unicode=True, sort_keys=False)
    header += "".join(f"{key}: {day}\n" for key, day in dates.items())  # PyYAML would write the second as an alias
    return f"---\n{header}---\n\n{text}\n", {BADGE.name: BADGE.read_bytes(), **figures}


def load(book: Book, name: str, language: str) -> Page:
    """Return a chapter to export; raise BookError if the notebook is missing, or has other code than the chapter."""
    messages, gettext = po.load(book.catalogue(name, language)), sentences(book, language).gettext
    return Page(book, name, language, stored.with_stored_outputs(book, name), messages, gettext)


def export(book: Book, page: str, language: str, folder: Path) -> Path:
    """Write a chapter as a post with its assets into the folder of a blog; return the path of the post.

    The post has the date of the last commit that touched the notebook, or that of the existing post: the date is part
    of the URL. Figures that it no longer shows are deleted.

    Raise BookError as for `load`, or a path cannot be written; the folder is then unchanged.
    """
    name = f"{posixpath.basename(page)}-{language}"
    committed = book.git("log", "-1", "--format=%cs", "--", str(book.notebook(page, language)))
    changed = datetime.date.fromisoformat(committed.strip()) if committed else datetime.date.today()
    posts = (re.fullmatch(rf"(\d{{4}}-\d\d-\d\d)-{name}\.(?:html|md)", path.name) for path in folder.glob("_posts/*"))
    created = max((datetime.date.fromisoformat(found[1]) for found in posts if found), default=changed)
    assets = f"assets/{book.name}/{name}"
    text, figures = render(load(book, page, language), assets, date=created, last_modified_at=changed)
    path = folder / "_posts" / f"{created}-{name}.md"
    contents = {folder / assets / file: content for file, content in figures.items()}
    try:
        files.write_all(contents | {path: text.encode()})
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        sentence = _("cannot write {file} ({reason}): name another folder")
        raise BookError(sentence, file=error.filename, reason=error.strerror) from error
    for old in set((folder / assets).glob("figure-*")).difference(contents):
        old.unlink()
    path.with_suffix(".html").unlink(missing_ok=True)  # what this command wrote before it wrote Markdown
    return path
