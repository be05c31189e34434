"""Publishes the rendered languages as one site: the old one stays until the new one is complete."""

import shutil
from urllib.parse import urlsplit

from ci import _
from ci.book import BookError, display, sphinx
from ci.catalogues.sentences import sentences
from ci.site import releases
from ci.site.releases import TEMPLATES

UNUSED = (".buildinfo", "_sources", "searchtools.js", "language_data.js")  # the last two are of Sphinx's own search
AT_THE_ROOT = ["index.html", "404.html", "sitemap.xml", "robots.txt"]
NO_PAGE = [
    _("There is no such page"),
    _("It may have been renamed, or the address may be mistyped."),
    _("All chapters are listed on the front page."),
]


def rendering(book):
    """The folder in which Sphinx keeps doctrees and pages between builds, so that it renders only what changed."""
    return book.built("sphinx")


def published(book):
    return book.built("html")


def readable(book):
    """The published book.

    Raises:
      BookError: it was never built.
    """
    if not published(book).is_dir():
        raise BookError(_("there is no built book; run ./ci/book.sh first"))
    return published(book)


def previous(book):
    return book.built("html.old")


def clean(book):
    """Begins a rendering; one that never came to its end is started afresh, since its pages may be half written."""
    site, old = published(book), previous(book)
    if old.exists() and not site.exists():  # stopped in the middle of the exchange
        old.rename(site)
    folder = rendering(book)
    unfinished = folder / "unfinished"
    if unfinished.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    unfinished.touch()


def facts(book):
    """What the templates say about the book."""
    known = {code: sentences(book, code) for code in book.languages}
    return {
        "title": book.title,
        "languages": book.languages,
        "source": book.source_language,
        "pages": book.pages,
        "front": book.pages[0],
        "site": book.site,
        "path": urlsplit(book.site).path,
        "words": {code: {text: words.gettext(text) for text in NO_PAGE} for code, words in known.items()},
    }


def write(template, path, values):
    path.write_text(TEMPLATES.get_template(template).render(values) + "\n", encoding="utf-8")


def forget_pages(book):
    """Removes what Sphinx rendered of pages that are gone."""
    for code in book.languages:
        folder = rendering(book) / code
        kept = {folder / f"{name}.html" for name in [*book.pages, "search"]}
        for path in {*folder.glob("*.html"), *folder.glob("book/**/*.html")} - kept:
            path.unlink()


def forget_pictures(book):
    """Removes pictures that no page shows any more."""
    for code in book.languages:
        folder = rendering(book) / code
        shown = "".join(path.read_text(encoding="utf-8") for path in folder.glob("book/**/*.html"))
        for path in folder.glob("_images/**/*.png"):
            if path.name not in shown:
                path.unlink()


def add_notebooks(book, code, folder):
    """Puts each chapter's notebook beside its page."""
    for name in book.chapters:
        shutil.copyfile(book.notebook(name, code), folder / f"{name}.ipynb")


def render(book, cache):
    """Renders all languages from a cache of executed chapters.

    Raises:
      BookError: a page has a fault.
    """
    clean(book)
    folder = rendering(book)
    places = {code: {"output": folder / code, "doctrees": folder / "doctrees" / code} for code in book.languages}
    sphinx.render_all(book, "html", places, cache=cache)


def publish(book):
    """Ends a rendering: copies all languages beside the published site and exchanges the two."""
    with display.stage(_("publishing")):
        exchange(book)


def assemble(book, folder, at_the_root):
    """Copies what was rendered of all languages, with its notebooks, into a new folder."""
    values = facts(book)
    for code in book.languages:
        shutil.copytree(rendering(book) / code, folder / code, ignore=shutil.ignore_patterns(*UNUSED))
        add_notebooks(book, code, folder / code)
        write("redirect.html", folder / code / "index.html", values | {"code": code})
    for name in at_the_root:
        write(name, folder / name, values)


def exchange(book):
    site, old = published(book), previous(book)
    new = site.with_suffix(".new")
    forget_pages(book)
    forget_pictures(book)
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
