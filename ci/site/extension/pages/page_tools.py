"""Set the template variables for the top of a page: languages, links to notebook and source, time to read and run."""

from collections.abc import Callable
from math import ceil
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from ci import _
from ci.book import Book
from ci.execution import stored
from ci.site.export import markdown
from ci.site.extension import priorities
from ci.site.extension.application import BookApp, Chapters
from ci.site.extension.pages.minutes import reading_minutes
from ci.site.releases import Release

IN_COLAB, IN_KAGGLE, DOWNLOAD = _("Open in Colab"), _("Open in Kaggle"), _("Download the notebook")
MARKDOWN = _("View as Markdown")
SOURCE, CATALOGUE = _("View the source"), _("View the translation")
READ, READ_AND_RUN = _("About {read} min to read"), _("About {read} min to read, {run} min to run")
MADE = _("Outputs of {date}: {versions}, {cores} cores of {processor}")
CHECKED, STATUS = _("How they are checked"), "book/status"
KEPT = _("About {read} min to read; not run in this build, the outputs are those of {date}")
NOT_RUN = _("About {read} min to read; not run in this build, the outputs are those of the notebook")

Gettext = Callable[[str], str]


def links(book: Book, name: str, language: str) -> list[tuple[str, str, str]]:
    """Return [(kind, URL, label)] of the notebook, the source and the catalogue of a page in a language."""
    tools = []
    if name in book.chapters:
        notebook = book.notebook(name, language)
        tools.append(("colab", book.in_colab(notebook), IN_COLAB))
        tools.append(("kaggle", book.in_kaggle(notebook), IN_KAGGLE))
        tools.append(("download", f"{Path(name).name}.ipynb", DOWNLOAD))
    if markdown.has_copy(book, name):
        tools.append(("markdown", f"{Path(name).name}.md", MARKDOWN))
    tools.append(("source", book.in_repository(book.source(name)), SOURCE))
    if language in book.translations and book.catalogue(name, language).exists():
        tools.append(("source", book.in_repository(book.catalogue(name, language)), CATALOGUE))
    return tools


def duration(cache: Chapters, name: str, gettext: Gettext) -> str:
    """Return a line with the minutes to read a chapter, and those to run it or the origin of its outputs."""
    entry = cache.fetch(name)
    reading, kept = reading_minutes(cache.chapter(name)), entry and not entry.was_executed
    running = ceil(entry.data["execution_seconds"] / 60) if entry and entry.was_executed else None
    date = entry and kept and entry.data.get(stored.EXECUTION, {}).get("date")
    sentence = READ_AND_RUN if running else KEPT if date else NOT_RUN if kept else READ
    return gettext(sentence).format(read=reading, run=running, date=date)


def made(cache: Chapters, name: str, gettext: Gettext) -> str:
    """Return a line with the date, packages and machine of the outputs; "" if a build did not execute the chapter."""
    entry = cache.fetch(name)
    if not (entry and entry.was_executed):
        return ""
    known, shown = entry.data["environment"], {**cache.book.packages, "Python": "Python"}
    versions = [f"{label} {known[package]}" for package, label in shown.items() if label and package in known]
    return gettext(MADE).format(**known, versions=", ".join(versions))


def add_tools(app: BookApp, pagename: str, _template: str, context: dict[str, Any], *_rest: object) -> None:
    """Set the template variables of a page: languages, tools, duration and the line about its outputs."""
    book, language, gettext = app.book, app.config.language, app.sentences.gettext
    path = app.builder.get_target_uri(pagename)
    context["languages"] = [
        {"code": code, "name": name, "here": f"../{code}/{path}", "published": book.address(pagename, code)}
        for code, name in book.languages.items()
    ]
    context["tools"] = []
    if pagename in book.pages:
        context["tools"] = [(kind, address, gettext(text)) for kind, address, text in links(book, pagename, language)]
    if pagename in book.chapters:
        context["duration"] = duration(app.cache, pagename, gettext)
        context["made"] = made(app.cache, pagename, gettext)
        context["checked"] = (STATUS, gettext(CHECKED)) if STATUS in book.pages else None


def pin_commands(app: BookApp, doctree: nodes.document, _docname: str) -> None:
    """On the pages of a release, rewrite install and clone commands so that they use the tag of that release."""
    if not isinstance(app.book, Release):
        return
    for text in [*doctree.findall(nodes.Text)]:
        pinned, block = app.book.pinned(text), text.parent
        if pinned != text:
            block.replace(text, nodes.Text(pinned))
            if isinstance(block, nodes.literal_block):
                block.rawsource = pinned  # Sphinx highlights a block only if this equals its text


def set_addresses(app: BookApp, config: Config) -> None:
    """Set the base URL of canonical links, that of the latest edition, and of OpenGraph, that of this edition."""
    config.html_baseurl = f"{Book(app.book.root).site}/{config.language}/"
    config.ogp_site_url = f"{app.book.site}/{config.language}/"
    config.ogp_site_name = config.html_title


def setup(app: Sphinx) -> None:
    """Connect the handlers."""
    app.connect("config-inited", set_addresses, priority=priorities.USE_TITLE)
    app.connect("html-page-context", add_tools)
    app.connect("doctree-resolved", pin_commands)
