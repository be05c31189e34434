"""Publish the rendered languages as one site; the old site stays until the new one is complete."""

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from ci import _
from ci.book import Book, BookError, display, sphinx
from ci.catalogues.sentences import sentences
from ci.site import releases
from ci.site.releases import TEMPLATES

UNUSED = (".buildinfo", "_sources", "searchtools.js", "language_data.js")  # the last two belong to Sphinx's own search
AT_THE_ROOT = ["index.html", "404.html", "sitemap.xml", "robots.txt"]
NO_PAGE = [
    _("There is no such page"),
    _("It may have been renamed, or the address may be mistyped."),
    _("All chapters are listed on the front page."),
]


def rendering(book: Book) -> Path:
    """Return the folder of doctrees and pages that Sphinx keeps between builds, to render only what has changed."""
    return book.built("sphinx")


def published(book: Book) -> Path:
    """Return the folder of the site."""
    return book.built("html")


def readable(book: Book) -> Path:
    """Return the folder of the site.

    Raises:
      BookError: The book has not been built.
    """
    if not published(book).is_dir():
        raise BookError(_("there is no built book; run ./ci/book.sh first"))
    return published(book)


def previous(book: Book) -> Path:
    """Return the folder to which the old site is moved during the exchange."""
    return book.built("html.old")


def clean(book: Book) -> None:
    """Prepare a rendering; remove an interrupted one, since its pages may be incomplete."""
    site, old = published(book), previous(book)
    if old.exists() and not site.exists():  # the exchange was interrupted
        old.rename(site)
    folder = rendering(book)
    unfinished = folder / "unfinished"
    if unfinished.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    unfinished.touch()


def facts(book: Book) -> dict[str, object]:
    """Return the values for the templates."""
    translations = {code: sentences(book, code) for code in book.languages}
    return {
        "title": book.title,
        "languages": book.languages,
        "source": book.source_language,
        "pages": book.pages,
        "front": book.pages[0],
        "site": book.site,
        "path": urlsplit(book.site).path,
        "words": {code: {text: words.gettext(text) for text in NO_PAGE} for code, words in translations.items()},
    }


def write(template: str, path: Path, values: Mapping[str, object]) -> None:
    """Write a file from a template."""
    path.write_text(TEMPLATES.get_template(template).render(values) + "\n", encoding="utf-8")


def forget_pages(book: Book) -> None:
    """Remove rendered pages that the book no longer has."""
    for code in book.languages:
        folder = rendering(book) / code
        kept = {folder / f"{name}.html" for name in [*book.pages, "search"]}
        for path in {*folder.glob("*.html"), *folder.glob("book/**/*.html")} - kept:
            path.unlink()


def forget_pictures(book: Book) -> None:
    """Remove pictures that no page shows."""
    for code in book.languages:
        folder = rendering(book) / code
        shown = "".join(path.read_text(encoding="utf-8") for path in folder.glob("book/**/*.html"))
        for path in folder.glob("_images/**/*.png"):
            if path.name not in shown:
                path.unlink()


def add_notebooks(book: Book, code: str, folder: Path) -> None:
    """Copy the notebooks of a language next to the pages of their chapters."""
    for name in book.chapters:
        shutil.copyfile(book.notebook(name, code), folder / f"{name}.ipynb")


def render(book: Book, cache: Path) -> None:
    """Render all languages from a cache of executed chapters.

    Raises:
      BookError: A page has a fault.
    """
    clean(book)
    folder = rendering(book)
    places = {
        code: {"output": folder / code, "doctrees": folder / "doctrees" / code} for code in book.languages
    }
    sphinx.render_all(book, "html", places, cache=cache)


def assemble(book: Book, folder: Path, at_the_root: Iterable[str]) -> None:
    """Copy the rendered pages and the notebooks of all languages to a new folder.

    Args:
      at_the_root: The templates of files in the folder itself.
    """
    values = facts(book)
    for code in book.languages:
        shutil.copytree(rendering(book) / code, folder / code, ignore=shutil.ignore_patterns(*UNUSED))
        add_notebooks(book, code, folder / code)
        write("redirect.html", folder / code / "index.html", values | {"code": code})
    for name in at_the_root:
        write(name, folder / name, values)


def publish(book: Book) -> None:
    """Make a site of the rendered languages, and replace the published site by it.

    Raises:
      BookError: A release is not complete.
    """
    with display.stage(_("publishing")):
        site, old = published(book), previous(book)
        new = site.with_suffix(".new")
        forget_pages(book)
        forget_pictures(book)
        for folder in (new, old):
            shutil.rmtree(folder, ignore_errors=True)
        assemble(book, new, AT_THE_ROOT)
        releases.add(book, new)
        (new / ".nojekyll").touch()
        if site.exists():
            site.rename(old)
        new.rename(site)
        shutil.rmtree(old, ignore_errors=True)
        (rendering(book) / "unfinished").unlink()
