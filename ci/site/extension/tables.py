"""Fills tables with what the build knows, so that nobody writes them by hand.

Each directive holds the heading of a table, which is translated like any other text:

    ```{status-chapters}
    | chapter | cells | … |
    |---|---|---|
    ```
"""

import itertools
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from ci import _
from ci.book import BookError
from ci.catalogues import glossary
from ci.catalogues.progress import PERCENT, all_progress
from ci.catalogues.sentences import users_sentences
from ci.execution.cache import executed
from ci.notebooks import sabotages
from ci.site.facts import chapter_statuses

UNTRIED = _("not tried since the chapter changed")


def row(*cells):
    """A row of a table; each cell is a node, or something whose text is shown and not translated.

    Only a link needs a paragraph around it; hundreds of them take a phone long to lay out.
    """
    entries = []
    for cell in cells:
        if not isinstance(cell, nodes.Node):
            cell = nodes.Text(str(cell))
        if isinstance(cell, addnodes.pending_xref):
            cell = nodes.paragraph("", "", cell)
        entries.append(nodes.entry("", cell))
    return nodes.row("", *entries)


def link(name):
    """A link to a page, with the page's title in the language of the site."""
    reference = {"refdomain": "std", "reftype": "doc", "reftarget": f"/{name}", "refexplicit": False, "refwarn": True}
    return addnodes.pending_xref("", nodes.inline(), **reference)


class Table(SphinxDirective):
    """A table whose heading is the content of the directive, and whose `rows` follow when one of `files` changes."""

    has_content = True

    def run(self):
        self.book = self.env.app.book
        for file in self.files():
            self.env.note_dependency(str(file))
        table = next(node for node in self.parse_content_to_nodes() if isinstance(node, nodes.table))
        width = len(list(table.findall(nodes.colspec)))
        try:
            body = nodes.tbody("", *self.rows())
        except BookError as error:  # a catalogue or a glossary that cannot be read
            raise ExtensionError(error.say(users_sentences().gettext)) from error
        for line in body:
            if len(line) != width:
                raise ExtensionError(f"{self.env.docname}: {self.name} has {len(line)} columns, its heading {width}")
        table.next_node(nodes.tgroup).append(body)
        return [table]


class StatusTable(Table):
    """A table about the execution of the chapters."""

    def files(self):
        return [executed(self.book).path / "global.db"]

    def statuses(self):
        """What the chapters' table and the environment's share while the page is read."""
        shared = self.env.temp_data
        if "chapter_statuses" not in shared:
            shared["chapter_statuses"] = chapter_statuses(executed(self.book))
        return shared["chapter_statuses"]


class Chapters(StatusTable):
    """chapter, code cells, of them with a tolerance of their own, of them not compared, seconds, date"""

    def rows(self):
        return [
            row(link(one.name), one.cells, one.tolerant, one.exempt, f"{one.seconds:.0f}", one.environment["date"])
            for one in self.statuses()
        ]


class Environment(StatusTable):
    """name, value; as of the chapter executed last"""

    def rows(self):
        newest = max((one.environment for one in self.statuses()), key=lambda found: found["date"], default={})
        return [row(name, value) for name, value in newest.items() if name != "date"]


class Sabotages(Table):
    """chapter, sabotages, of them noticed, when"""

    def files(self):
        of_chapters = [(self.book.source(name), sabotages.path(self.book, name)) for name in self.book.chapters]
        files = [sabotages.results_path(self.book), *itertools.chain(*of_chapters)]
        return filter(Path.exists, files)

    def rows(self):
        results = sabotages.results(self.book)
        for name in self.book.chapters:
            one = results.get(name)
            if one and one.digest == sabotages.digest(self.book, name):
                yield row(link(name), one.listed, one.noticed, one.date)
            else:
                yield row(link(name), self.env.app.sentences.gettext(UNTRIED), "", "")


class Progress(Table):
    """page, language, a bar, per cent, entries whose English has changed, whether declared complete"""

    def files(self):
        return [self.book.catalogue(page, code) for page in self.book.pages for code in self.book.translations]

    def rows(self):
        names = self.book.languages
        text = self.env.app.sentences.gettext(PERCENT)
        for one in all_progress(self.book, self.book.pages):
            name = in_language(names[one.language], one.language)
            complete = "✓" if one.complete else ""
            percent = text.format(percent=one.percent)
            yield row(link(one.page), name, bar(one.percent), percent, one.fuzzy or "", complete)


def bar(percent):
    """A bar; the number stands beside it, so that nobody needs to see it."""
    return nodes.raw("", f'<progress value="{percent}" max="100" aria-hidden="true"></progress>', format="html")


class Glossary(Table):
    """English, translation, what not to write, note; for the language of the site, or else for all of them"""

    def files(self):
        return [glossary.path(self.book)]

    def rows(self):
        shown, source, translations = self.config.language, self.book.source_language, self.book.translations
        for language in [shown] if shown in translations else translations:
            for term in glossary.load(self.book, language).terms:
                own = [term.forms[0], ", ".join(term.avoid), term.note]
                if language != shown:
                    own = [in_language(text, language) for text in own]
                yield row(in_language(", ".join(term.english), source), *own)


def in_language(text, code):
    """A text that says which language it is in."""
    return nodes.inline("", text, classes=[f"language-{code}"]) if text else nodes.Text("")


def setup_tables(app):
    app.add_directive("translation-progress", Progress)
    app.add_directive("glossary-table", Glossary)
    app.add_directive("status-chapters", Chapters)
    app.add_directive("status-environment", Environment)
    app.add_directive("status-sabotages", Sabotages)
