"""Publish the rendered languages as one site. The old site is replaced only when the new one is complete."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ci import _
from ci.book import Book, BookError, sphinx
from ci.catalogues.sentences import sentences
from ci.site import releases
from ci.site.export import markdown
from ci.site.releases import TEMPLATES, Release

# The last two belong to Sphinx's search, which `pages.search_data` replaces.
UNUSED = (".buildinfo", "_sources", "searchtools.js", "language_data.js")
AT_THE_ROOT = ["index.html", "404.html", "sitemap.xml", "robots.txt", "llms.txt"]


def rendering(book: Book) -> Path:
    """Return the folder of the doctrees and rendered pages; the next build renders only what has changed in it."""
    return book.built("sphinx")


def published(book: Book) -> Path:
    """Return the folder of the site."""
    return book.built("html")


def readable(book: Book) -> Path:
    """Return the folder of the site, for commands that read it; raise BookError if the book was never built."""
    if not published(book).is_dir():
        raise BookError(_("there is no built book; run ./ci/book.sh first"))
    return published(book)


def clean(book: Book) -> None:
    """Restore the site after an interrupted `publish`, delete an interrupted rendering, mark the next `unfinished`."""
    site, old = published(book), published(book).with_suffix(".old")
    if old.exists() and not site.exists():  # `publish` was interrupted between its two renames
        old.rename(site)
    folder = rendering(book)
    if (folder / "unfinished").exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "unfinished").touch()


def write(template: str, path: Path, values: dict[str, Any]) -> None:
    """Render a template to a file."""
    path.write_text(TEMPLATES.get_template(template).render(values) + "\n", encoding="utf-8")


def render(book: Book, cache: Path) -> None:
    """Render the pages in all languages with the outputs of a cache; raise BookError if a page has a fault."""
    clean(book)
    folder = rendering(book)
    places = {code: {"output": folder / code, "doctrees": folder / "doctrees" / code} for code in book.languages}
    settings = {"book_release": book.version} if isinstance(book, Release) else {}
    sphinx.render_all(book, "html", places, cache=cache, **settings)


def assemble(book: Book, folder: Path, at_the_root: Iterable[str]) -> None:
    """Copy the rendered pages and the notebooks of all languages into a new folder; render some templates into it."""
    values = {
        "title": book.title,
        "languages": book.languages,
        "source": book.source_language,
        "pages": book.pages,
        "front": book.pages[0],
        "site": book.site,
        "path": urlsplit(book.site).path,
        "gettext": {code: sentences(book, code).gettext for code in book.languages},
        "headings": {code: markdown.headings(book, rendering(book) / code) for code in book.languages},
    }
    for code in book.languages:
        shutil.copytree(rendering(book) / code, folder / code, ignore=shutil.ignore_patterns(*UNUSED))
        for name in book.chapters:
            shutil.copyfile(book.notebook(name, code), folder / code / f"{name}.ipynb")
        write("redirect.html", folder / code / "index.html", values | {"code": code})
    for name in at_the_root:
        write(name, folder / name, values)


def publish(book: Book) -> None:
    """Assemble the site from the rendered pages and the releases, replace the old one, and finish the rendering."""
    site = published(book)
    new, old = site.with_suffix(".new"), site.with_suffix(".old")
    for left in (new, old):
        shutil.rmtree(left, ignore_errors=True)
    assemble(book, new, AT_THE_ROOT)
    releases.add(book, new)
    (new / ".nojekyll").touch()
    if site.exists():
        site.rename(old)
    new.rename(site)
    shutil.rmtree(old, ignore_errors=True)
    (rendering(book) / "unfinished").unlink()
