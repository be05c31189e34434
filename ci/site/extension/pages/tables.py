"""Directives for tables whose rows are made by the build.

The content of each directive is the heading of its table, which is translated like any other text:

    ```{status-table}
    | chapter | cells | … |
    |---|---|---|
    ```
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from ci.catalogues import glossary
from ci.catalogues.translation_progress import PERCENT, all_progress
from ci.execution import stored
from ci.execution.cache import Entry, code_cells
from ci.notebooks import trials
from ci.site.extension.application import BookApp, errors_as_sphinx_says_them


def row(*cells: object) -> nodes.row:
    """Return a row of a table; each cell is a node, or a value whose `str` is shown untranslated.

    Only cells with links get a paragraph, which links need: the layout of hundreds of paragraphs is slow on a phone.
    """
    entries = []
    for cell in cells:
        node = cell if isinstance(cell, nodes.Node) else nodes.Text(str(cell))
        if next(node.findall(addnodes.pending_xref), None):
            node = nodes.paragraph("", "", node)
        entries.append(nodes.entry("", node))
    return nodes.row("", *entries)


def link(name: str) -> addnodes.pending_xref:
    """Return a link to a page; Sphinx inserts the title of the page, in the language of the site."""
    reference = {"refdomain": "std", "reftype": "doc", "reftarget": f"/{name}", "refexplicit": False, "refwarn": True}
    return addnodes.pending_xref("", nodes.inline(), **reference)


def in_language(text: str, code: str) -> nodes.Node:
    """Return a node for a text with the `lang` attribute of a language."""
    return nodes.inline("", text, classes=[f"language-{code}"]) if text else nodes.Text("")


def day(entry: Entry) -> str:
    """Return the day of a chapter's outputs, such as 2026-01-31; "" if it is unknown."""
    return entry.data.get("environment" if entry.was_executed else stored.EXECUTION, {}).get("date", "")


def status(app: BookApp) -> Iterator[nodes.row]:
    """Yield chapter, code cells, sabotages noticed, lessons that hold, day of the execution, entries not tried."""
    for name in app.book.chapters:
        entry, found = app.cache.fetch(name), trials.state(app.book, name)
        cells = len(code_cells(app.cache.chapter(name)))
        counts = [(found.noticed, found.sabotages), (found.held, found.lessons)]
        shown = ["" if found.not_tried or not every else f"{good} / {every}" for good, every in counts]
        yield row(link(name), cells, *shown, day(entry) if entry else "", found.not_tried or "")


def progress(app: BookApp) -> Iterator[nodes.row]:
    """Yield page, language, a bar, per cent, entries whose English has changed, whether declared complete."""
    for one in all_progress(app.book, app.book.pages):
        bar = f'<progress value="{one.percent}" max="100" aria-hidden="true"></progress>'  # per cent is read aloud
        name = in_language(app.book.languages[one.language], one.language)
        percent = app.sentences.gettext(PERCENT).format(percent=one.percent)
        cells = (nodes.raw("", bar, format="html"), percent, one.fuzzy or "", "✓" if one.complete else "")
        yield row(link(one.page), name, *cells)


def terms(app: BookApp) -> Iterator[nodes.row]:
    """Yield English, meaning, translation, what not to write, note; in the language of the site, or in all."""
    shown, others = app.config.language, app.book.translations
    meaning = glossary.definitions(app.book, shown)
    for code in [shown] if shown in others else others:
        for term in glossary.load(app.book, code).terms:
            texts = [term.forms[0], ", ".join(term.avoid), term.note]
            own = [text if code == shown else in_language(text, code) for text in texts]
            english = in_language(", ".join(term.english), app.book.source_language)
            yield row(english, meaning.get(term.english[0], ""), *own)


# {directive: (the function that yields its rows, the files from which it makes them)}
TABLES: dict[str, tuple[Callable[[BookApp], Iterator[nodes.row]], str]] = {
    "status-table": (status, "book/**/*"),
    "translation-progress": (progress, "locale/**/*.po"),
    "glossary-table": (terms, "locale/*.csv"),
}


class Table(SphinxDirective):
    """The directives: the content is the table as it begins, to which the rows are added."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the table; its page is read again when a file changes from which the rows are made.

        Raise ExtensionError if the heading and a row differ in their numbers of columns, or a file is malformed.
        """
        rows, files = TABLES[self.name]
        app = cast(BookApp, self.env.app)
        table = next(node for node in self.parse_content_to_nodes() if isinstance(node, nodes.table))
        width = len(list(table.findall(nodes.colspec)))
        with errors_as_sphinx_says_them():
            body = nodes.tbody("", *rows(app))
        for line in body:
            if len(line) != width:
                raise ExtensionError(f"{self.env.docname}: {self.name} has {len(line)} columns, its heading {width}")
        table.next_node(nodes.tgroup).append(body)
        for file in filter(Path.is_file, app.book.root.glob(files)):
            self.env.note_dependency(str(file))
        return [table]


def setup(app: Sphinx) -> None:
    """Register the directives."""
    for name in TABLES:
        app.add_directive(name, Table)
