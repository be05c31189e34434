"""Make a post for a Jekyll blog from a chapter, with its figures; executes nothing.

The post stands by itself: its figures are files beside it, and its links are absolute URLs.
"""

import itertools
import json
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from ci import _
from ci.book import Book, BookError, markdown
from ci.catalogues import po
from ci.catalogues.fault import Gettext
from ci.catalogues.sentences import sentences
from ci.catalogues.translation_progress import page_progress
from ci.notebooks import cells, translate
from ci.site.export import kramdown
from ci.site.export.body import Body

OPEN = _("Open in Colab")
AUTHOR, TRANSLATED = _("Author: {author}"), _("Translation: {translator}")
PAGE, SOURCE = _("This chapter in the book"), _("View the source")
LICENCE = "[CC BY 4.0](https://creativecommons.org/licenses/by/4.0/)"

BADGE = Path(__file__).parent / "templates" / "badge.svg"
# Without an excerpt, Jekyll would show the first paragraph, which is the badge.
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

[{badge}]({colab})

{body}---

{credit}
"""
LONGEST_DESCRIPTION = 160  # characters
MARKED = re.compile(translate.marked("(.*)", r"\w+"))
ABSOLUTE = re.compile(r"(https?|mailto):")
LOADING = re.compile(r"<(audio|embed|iframe|img|link|object|script|source|style|video)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Post:
    """A chapter in a language: where it comes from, and the names of the parts of its post."""

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
        return f"assets/flaxbook/{self.name}"

    def resolve(self, target: str) -> str:
        """Return the URL of a page of the book, or of a section of this one; other targets stay as they are."""
        path, mark, section = target.partition("#")
        beside = posixpath.join(posixpath.dirname(self.page), re.sub(r"\.(ipynb|md)$", "", path))
        page = posixpath.normpath(beside) if path else self.page
        return self.book.address(page, self.language) + mark + section if page in self.book.pages else target

    def picture(self, file: str, alt: str) -> str:
        """Return Markdown that shows a file of the assets; Liquid adds the path of the blog at its host."""
        return f'![{kramdown.escaped(alt)}](<{{{{ "/{self.assets}/{file}" | relative_url }}}}>)'


def plain(text: str) -> str:
    """Return the text of a block of Markdown, without its markup and the mark of a missing translation."""
    (inline,) = markdown.parser().parseInline(MARKED.sub(r"\1", text))
    shown = (child for child in inline.children or [] if child.type != "html_inline")
    return " ".join("".join(" " if child.type.endswith("break") else child.content for child in shown).split())


def shortened(text: str) -> str:
    """Return at most `LONGEST_DESCRIPTION` characters of a text, cut between two words if it has any spaces."""
    if len(text) <= LONGEST_DESCRIPTION:
        return text
    cut = text[:LONGEST_DESCRIPTION]
    return (cut.rpartition(" ")[0] or cut[:-1]).rstrip(" .,:;") + "…"


def read(post: Post) -> NotebookNode:
    """Return the notebook of a post as it is stored.

    Raises:
      BookError: it does not exist or cannot be read.
    """
    path = post.book.relative(post.notebook)
    try:
        return nbformat.read(post.notebook, as_version=4)
    except FileNotFoundError as error:
        raise BookError(_("there is no {file}: run ./ci/book.sh refresh"), file=path) from error
    except (ValueError, nbformat.ValidationError) as error:
        sentence = _("{file} is not a notebook ({error}): run ./ci/book.sh refresh")
        raise BookError(sentence, file=path, error=error) from error


def blocks(notebook: NotebookNode, kind: str) -> Iterator[tuple[NotebookNode, slice, str]]:
    """Yield (cell, its lines, text) for each top-level block of a kind, such as "paragraph"."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for opener, inline in itertools.pairwise(markdown.parser().parse(cell.source)):
                if opener.type == f"{kind}_open" and opener.level == 0:
                    yield cell, slice(*kramdown.lines_of(opener)), inline.content


def take_title(notebook: NotebookNode) -> str:
    """Remove the first heading of a notebook, since Jekyll shows the title; return its text, "" without one."""
    for cell, place, text in blocks(notebook, "heading"):
        lines = cell.source.split("\n")
        del lines[place]
        cell.source = "\n".join(lines)
        return plain(text)
    return ""


def describe(notebook: NotebookNode) -> str:
    """Return the beginning of the first paragraph."""
    return next((shortened(plain(text)) for *_place, text in blocks(notebook, "paragraph")), "")


def check(text: str, place: str) -> None:
    """Check that Markdown needs no file beside the post.

    Raises:
      BookError: it shows a picture, links to a relative path, or has HTML that loads something.
    """
    for block in markdown.parser().parse(text):
        for token in block.children or [block]:
            if token.type == "image":
                sentence = _("{place}: a post cannot bring {image} along: draw it in a code cell")
                raise BookError(sentence, place=place, image=token.attrs["src"])
            if token.type == "link_open" and not ABSOLUTE.match(str(token.attrs["href"])):
                sentence = _("{place}: {target} is no page of the book: link to one, or give a whole address")
                raise BookError(sentence, place=place, target=token.attrs["href"])
            if token.type.startswith("html_") and LOADING.search(token.content):
                sentence = _("{place}: a post must not load anything: leave {html} out")
                raise BookError(sentence, place=place, html=token.content.strip())


def rewrite_prose(post: Post, notebook: NotebookNode) -> None:
    """Rewrite the Markdown cells of a notebook for the blog.

    Raises:
      BookError: as for `check`.
    """
    for name, cell in zip(cells.names(notebook), notebook.cells, strict=True):
        if cell.cell_type == "markdown":
            cell.source = kramdown.rewrite(cell.source, post.resolve)
            check(cell.source, f"{post.book.relative(post.notebook)}, {name}")


def credit(post: Post, gettext: Gettext) -> str:
    """Return the last line of a post: the author, the translator, links to the chapter, and the licence."""
    author, translator = post.book.config["author"], ""
    if post.language in post.book.translations:
        translator = page_progress(post.book, post.page, post.language).translator
    people = [gettext(AUTHOR).format(author=author)] if author else []
    people += [gettext(TRANSLATED).format(translator=translator)] if translator else []
    page, source = post.book.address(post.page, post.language), post.book.in_repository(post.notebook)
    links = [f"[{gettext(PAGE)}]({page})", f"[{gettext(SOURCE)}]({source})"]
    return " · ".join([*map(kramdown.escaped, people), *links, LICENCE])


def quoted(text: str) -> str:
    """Return text as JSON, which is YAML, too; without quotes, it may be read as a number or a date."""
    return json.dumps(text, ensure_ascii=False)


def render(post: Post, created: date, changed: date) -> tuple[str, dict[str, bytes]]:
    """Return the Markdown of a post and {file: content} of its assets.

    Args:
      created: the date of the post.
      changed: the date of its last change.

    Raises:
      BookError: the notebook does not exist, or something in it cannot be in a post.
    """
    notebook = read(post)
    title = take_title(notebook) or post.name
    description = describe(notebook)
    rewrite_prose(post, notebook)
    gettext = sentences(post.book, post.language).gettext
    body = Body(post.picture, po.load(post.book.catalogue(post.page, post.language)), gettext)
    text = POST.format(
        title=quoted(title),
        language=post.language,
        description=quoted(description),
        url=post.book.address(post.page, post.language),
        date=created,
        changed=changed,
        badge=post.picture(BADGE.name, gettext(OPEN)),
        colab=post.book.in_colab(post.notebook),
        body="".join(map(body.cell, notebook.cells)),
        credit=credit(post, gettext),
    )
    return text, {BADGE.name: BADGE.read_bytes(), **body.figures}
