"""Export a chapter as a post for a Jekyll blog, from its source and the outputs stored in its notebook.

Jekyll renders a post with Liquid, its template language, and copies the HTML otherwise unchanged. The post does not
depend on the site: its figures are copied into the blog, its formulas are MathML, and its links are absolute URLs.
"""

import datetime
import errno
import json
import posixpath
import re
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from textwrap import shorten
from typing import Any

from bs4 import BeautifulSoup
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from ci import _
from ci.book import Book, BookError, files, markdown
from ci.catalogues import po
from ci.catalogues.sentences import sentences
from ci.execution import stored
from ci.site.export.markdown import FIGURES, TEXT, Page
from ci.site.extension.cells.labels import FOLDED
from ci.site.extension.output import mathml

OPEN, AUTHOR = _("Open in Colab"), _("Author: {author}")
PAGE, SOURCE = _("This chapter in the book"), _("View the source")
LICENCE = "CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"
BADGE = Path(__file__).parent / "templates" / "badge.svg"
FOLDER = "figures:"  # prefix of the URL of a figure; replaced by the Liquid expression for the folder
LIQUID = re.compile(r"\{(?=[{%])")  # the first brace of a Liquid tag
MATH = {"math_inline": False, "math_inline_double": True, "math_block": True}  # {token: whether it is a block}
LONGEST = 200  # characters of a description
# Without `excerpt`, Jekyll's excerpt would be the first paragraph, which is the badge.
POST = """\
---
layout: post
title: {title}
lang: {language}
description: {description}
excerpt: {description}
canonical_url: {url}
date: {date}
last_modified_at: {changed}
---

<p><a href="{colab}"><img src="{figures}{badge}" alt="{open}"></a></p>
{body}
<hr>
<p>{credit}</p>
"""


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
    links = [
        (gettext(PAGE), post.book.address(post.page, post.language)),
        (gettext(SOURCE), post.book.in_repository(post.notebook)),
        LICENCE,
    ]
    people = [escape(gettext(AUTHOR).format(author=author))] if author else []
    return " · ".join([*people, *(f'<a href="{escape(address)}">{escape(text)}</a>' for text, address in links)])


def highlighted(code: str, language: str, _attributes: str = "") -> str:
    """Return code as HTML, with the classes that Jekyll's own highlighter uses."""
    spans = highlight(code, get_lexer_by_name(language or "text"), HtmlFormatter(nowrap=True))
    return f'<pre class="highlight"><code>{spans}</code></pre>'


def renderer(page: str) -> MarkdownIt:
    """Return a parser that renders the text of a page: formulas as MathML, and HTML as text."""
    rendering = markdown.parser.__wrapped__()
    rendering.options.update(html=False, highlight=highlighted)
    for kind, as_block in MATH.items():

        def formula(_self: Any, tokens: Sequence[Token], place: int, *_: Any, as_block: bool = as_block) -> str:
            return mathml.convert(page, tokens[place].content, as_block=as_block)

        rendering.add_render_rule(kind, formula)
    return rendering


def html_of(page: Page) -> tuple[str, dict[str, bytes]]:
    """Return the HTML of a page, with hidden cells folded, and {file: content} of its figures."""
    render, figures, cells = renderer(page.name).render, dict[str, bytes](), []
    for tags, pieces in page.cells():
        texts = []
        for kind, content, description in pieces:
            if kind in FIGURES:
                name = f"figure-{len(figures) + 1}{FIGURES[kind]}"
                figures[name] = content.encode() if "svg" in kind else b64decode(content)
                texts.append(f'<p><img src="{FOLDER}{name}" alt="{escape(description)}"></p>')
            else:
                texts.append(render(content) if kind == TEXT else highlighted(content, kind))
        hidden = len(texts) if "hide-cell" in tags else int("hide-input" in tags)
        if hidden:
            summary = f"<summary>{escape(page.gettext(FOLDED))}</summary>"
            texts[:hidden] = [f"<details>{summary}", *texts[:hidden], "</details>"]
        cells += texts
    return "\n".join(cells), figures


def quoted(text: str) -> str:
    """Quote text for the YAML front matter, so that YAML does not read it as a number or a date."""
    return json.dumps(text, ensure_ascii=False)


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
    notebook = stored.with_stored_outputs(book, post.page)
    body, figures = html_of(Page(book, post.page, post.language, notebook, messages, gettext))
    article = BeautifulSoup(body, "html.parser")
    title = article.select("h1")[0].extract()  # Jekyll shows the title of the front matter
    text = POST.format(
        title=quoted(title.get_text()),
        language=post.language,
        description=quoted(shorten(article.select("p")[0].get_text(), LONGEST, placeholder=" ...")),
        url=book.address(post.page, post.language),
        date=created,
        changed=changed,
        figures=FOLDER,
        badge=BADGE.name,
        open=escape(gettext(OPEN)),
        colab=book.in_colab(post.notebook),
        body=LIQUID.sub("&#123;", article.decode_contents().strip()),
        credit=credit(post),
    )
    folder = f"{{{{ '/{post.assets}' | relative_url }}}}/"
    return text.replace(f'src="{FOLDER}', f'src="{folder}'), {BADGE.name: BADGE.read_bytes(), **figures}


def last_change(post: Post) -> datetime.date:
    """Return the date of the last commit that touched the notebook; today if there is none."""
    day = (post.book.git("log", "-1", "--format=%cs", "--", str(post.notebook)) or "").strip()
    return datetime.date.fromisoformat(day) if day else datetime.date.today()


def first_date(folder: Path, name: str) -> datetime.date | None:
    """Return the date of the existing post, or None. The date is part of the URL, so a new export must keep it."""
    pattern = re.compile(rf"(\d{{4}}-\d\d-\d\d)-{re.escape(name)}\.html")
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
    path = folder / "_posts" / f"{created}-{post.name}.html"
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
    return path
