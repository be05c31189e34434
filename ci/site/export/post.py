"""Export a chapter of the built book as a post for a Jekyll blog.

Jekyll renders a post with Liquid, its template language, and copies the HTML otherwise unchanged. The post does not
depend on the site: its figures are copied into the blog, and its links are absolute URLs.
"""

import datetime
import errno
import json
import posixpath
import re
from dataclasses import dataclass
from html import escape
from pathlib import Path

from bs4 import Tag

from ci import _
from ci.book import Book, BookError, files
from ci.catalogues.sentences import sentences
from ci.site import publish
from ci.site.export import article as articles

OPEN, AUTHOR = _("Open in Colab"), _("Author: {author}")
PAGE, SOURCE = _("This chapter in the book"), _("View the source")
LICENCE = "CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"
BADGE = Path(__file__).parent / "templates" / "badge.svg"
LOADING = "iframe, embed, object, audio, video, link, source"
WEB = re.compile(r"(?:https?|mailto):", re.IGNORECASE)
FIGURES = "figures:"  # prefix of the URL of a figure; replaced by the Liquid expression for the folder
LIQUID = re.compile(r"\{(?=[{%])")  # the first brace of a Liquid tag
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


def make_harmless(article: Tag) -> None:
    """Remove embedded objects, external images, event handlers and links such as `javascript:` from an article.

    The HTML of an output may contain them.
    """
    for element in article.select(f"{LOADING}, img[src*='//']"):
        element.decompose()
    for element in article.find_all(True):
        for name in [name for name in element.attrs if name.startswith("on")]:
            del element[name]
    for link in article.select("a[href]"):
        if articles.is_whole(str(link["href"])) and not WEB.match(str(link["href"])):
            del link["href"]


def make_whole(post: Post, article: Tag, pages: Path) -> dict[str, bytes]:
    """Replace the links of an article by absolute URLs, and rename its figures; return {new name: content} of these.

    Args:
      pages: The folder of the built pages in the language of the post.
    """
    figures: dict[str, bytes] = {}
    for link in article.select("a[href]"):
        link["href"] = articles.on_the_site(str(link["href"]), post.page, f"{post.book.site}/{post.language}")
    for image in article.select("img[src]"):
        path = pages / articles.from_root(post.page, str(image["src"]))
        name = f"figure-{len(figures) + 1}{path.suffix}"
        figures[name], image["src"] = path.read_bytes(), FIGURES + name
    return figures


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


def quoted(text: str) -> str:
    """Quote text for the YAML front matter, so that YAML does not read it as a number or a date."""
    return json.dumps(text, ensure_ascii=False)


def render(post: Post, created: datetime.date, changed: datetime.date) -> tuple[str, dict[str, bytes]]:
    """Return the text of a post and {file: content} of its assets.

    Args:
      created: The date of the post.
      changed: The date of its last change.

    Raises:
      BookError: The book was never built, or not since the page was added.
    """
    pages = publish.readable(post.book) / post.language
    page = articles.read(pages, post.page)
    article, description = articles.of(page), page.select('meta[name="description"]')[0]["content"]
    title = article.select("h1")[0].extract()  # Jekyll shows the title of the front matter
    make_harmless(article)
    figures = make_whole(post, article, pages)
    text = POST.format(
        title=quoted(title.get_text()),
        language=post.language,
        description=quoted(str(description)),
        url=post.book.address(post.page, post.language),
        date=created,
        changed=changed,
        figures=FIGURES,
        badge=BADGE.name,
        open=escape(sentences(post.book, post.language).gettext(OPEN)),
        colab=post.book.in_colab(post.notebook),
        body=LIQUID.sub("&#123;", article.decode_contents().strip()),
        credit=credit(post),
    )
    folder = f"{{{{ '/{post.assets}' | relative_url }}}}/"
    return text.replace(f'src="{FIGURES}', f'src="{folder}'), {BADGE.name: BADGE.read_bytes(), **figures}


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
    path = folder / "_posts" / f"{created}-{post.name}.html"
    contents = {folder / post.assets / file: content for file, content in assets.items()}
    try:
        files.write_all(contents | {path: text.encode()})
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        sentence = _("cannot write {file} ({reason}): name another folder")
        raise BookError(sentence, file=error.filename, reason=error.strerror) from error
    path.with_suffix(".md").unlink(missing_ok=True)  # an older version of this command wrote Markdown
    for old in set((folder / post.assets).glob("figure-*")).difference(contents):
        old.unlink()
    return path
