"""Fills tables with what the build knows, so that nobody writes them by hand.

Each directive holds the heading of a table, which is translated like any other text:

    ```{status-chapters}
    | chapter | cells | … |
    |---|---|---|
    ```
"""

from operator import itemgetter

from docutils import nodes
from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from ci import _
from ci.book import BookError
from ci.catalogues import definitions, glossary
from ci.catalogues.sentences import users_sentences
from ci.catalogues.translation_progress import PERCENT, all_progress
from ci.execution import timings
from ci.execution.cache import executed
from ci.notebooks import sabotages
from ci.site.facts import chapter_statuses

SHOWN = "shown in tables"  # in the metadata of a page: {directive: its facts, by their `repr`}
UNTRIED = _("not tried since the chapter changed")
MEASURED = _("Measured on {date}, rounds: {rounds}. {processor}, {cores} cores, Python {python}.")


def row(*cells):
    """A row of a table; each cell is a node, or something whose text is shown and not translated.

    Only a link needs a paragraph around it; hundreds of them take a phone long to lay out.
    """
    entries = []
    for cell in cells:
        if not isinstance(cell, nodes.Node):
            cell = nodes.Text(str(cell))
        if next(cell.findall(addnodes.pending_xref), None):
            cell = nodes.paragraph("", "", cell)
        entries.append(nodes.entry("", cell))
    return nodes.row("", *entries)


def link(name):
    """A link to a page, with the page's title in the language of the site."""
    reference = {"refdomain": "std", "reftype": "doc", "reftarget": f"/{name}", "refexplicit": False, "refwarn": True}
    return addnodes.pending_xref("", nodes.inline(), **reference)


class Table(SphinxDirective):
    """A table whose heading is the content of the directive, and whose rows show `facts`."""

    has_content = True

    @staticmethod
    def facts(app):
        """What the table shows, as a list of values with a faithful `repr`: if it changes, so does the page."""
        raise NotImplementedError

    def row(self, fact):
        """The row that shows one of the facts."""
        raise NotImplementedError

    def gettext(self, text):
        return self.env.app.sentences.gettext(text)

    def run(self):
        table = next(node for node in self.parse_content_to_nodes() if isinstance(node, nodes.table))
        width = len(list(table.findall(nodes.colspec)))
        facts = known(self.env.app, self.name)
        self.env.metadata[self.env.docname].setdefault(SHOWN, {})[self.name] = repr(facts)
        body = nodes.tbody("", *map(self.row, facts))
        for line in body:
            columns = sum(1 + entry.get("morecols", 0) for entry in line)
            if columns != width:
                raise ExtensionError(f"{self.env.docname}: {self.name} has {columns} columns, its heading {width}")
        table.next_node(nodes.tgroup).append(body)
        return [table]


class Chapters(Table):
    """chapter, code cells, of them with a tolerance of their own, of them not compared, seconds, date"""

    @staticmethod
    def facts(app):
        return chapter_statuses(executed(app.book))

    def row(self, one):
        seconds = "–" if one.seconds is None else f"{one.seconds:.0f}"
        return row(link(one.name), one.cells, one.tolerant, one.exempt, seconds, one.date)


class Environment(Table):
    """name, value; as of the chapter executed last"""

    @staticmethod
    def facts(app):
        every = map(executed(app.book).fetch, app.book.chapters)
        environments = (one.data["environment"] for one in every if one and one.was_executed)
        newest = max(environments, key=itemgetter("date"), default={})
        return [(name, value) for name, value in newest.items() if name != "date"]

    def row(self, one):
        return row(*one)


class Sabotages(Table):
    """chapter, sabotages, of them noticed, when"""

    @staticmethod
    def facts(app):
        book, results = app.book, sabotages.results(app.book)
        tried = {name: results[name] for name in book.chapters if name in results}
        current = {name: one for name, one in tried.items() if one.digest == sabotages.digest(book, name)}
        return [(name, current.get(name)) for name in book.chapters]

    def row(self, one):
        name, result = one
        if result:
            return row(link(name), result.listed, result.noticed, result.date)
        return row(link(name), self.gettext(UNTRIED), "", "")


class Bench(Table):
    """step, median, from, to, executed cells, rendered pages; the last row says when and on what"""

    @staticmethod
    def facts(app):
        found = timings.load(app.book)
        if not found:
            return []
        return [*timings.rows(found["rounds"]), {"rounds": len(found["rounds"]), **found["environment"]}]

    def row(self, one):
        if isinstance(one, timings.Row):
            return row(*timings.words(one, self.gettext))
        said = self.gettext(MEASURED).format(**one, python=one["Python"])
        return nodes.row("", nodes.entry("", nodes.Text(said), morecols=5))


class Progress(Table):
    """page, language, a bar, per cent, entries whose English has changed, whether declared complete"""

    @staticmethod
    def facts(app):
        return all_progress(app.book, app.book.pages)

    def row(self, one):
        name = in_language(self.env.app.book.languages[one.language], one.language)
        percent = self.gettext(PERCENT).format(percent=one.percent)
        return row(link(one.page), name, bar(one.percent), percent, one.fuzzy or "", "✓" if one.complete else "")


def bar(percent):
    """A bar; the number stands beside it, so that nobody needs to see it."""
    return nodes.raw("", f'<progress value="{percent}" max="100" aria-hidden="true"></progress>', format="html")


class Glossary(Table):
    """English, meaning, translation, what not to write, note; for the language of the site, or else for all of them"""

    @staticmethod
    def facts(app):
        shown, others = app.config.language, app.book.translations
        languages = [shown] if shown in others else others
        meaning = definitions.texts(app.book, shown)
        terms = [(code, term) for code in languages for term in glossary.load(app.book, code).terms]
        return [(code, term, meaning.get(term.english[0], "")) for code, term in terms]

    def row(self, one):
        language, term, meaning = one
        own = [term.forms[0], ", ".join(term.avoid), term.note]
        if language != self.config.language:
            own = [in_language(text, language) for text in own]
        return row(in_language(", ".join(term.english), self.env.app.book.source_language), meaning, *own)


def in_language(text, code):
    """A text that says which language it is in."""
    return nodes.inline("", text, classes=[f"language-{code}"]) if text else nodes.Text("")


TABLES = {
    "translation-progress": Progress,
    "glossary-table": Glossary,
    "status-chapters": Chapters,
    "status-environment": Environment,
    "status-sabotages": Sabotages,
    "status-bench": Bench,
}


def known(app, name):
    """The facts of a table.

    Raises:
      ExtensionError: a file that they come from, such as a catalogue, cannot be read.
    """
    try:
        return TABLES[name].facts(app)
    except BookError as error:
        raise ExtensionError(error.say(users_sentences().gettext)) from error


def outdated(app, env, *_changes):
    """The pages with a table that would show something else now."""
    tables = {name: data[SHOWN] for name, data in env.metadata.items() if SHOWN in data}
    return [
        page for page, shown in tables.items() if any(repr(known(app, name)) != was for name, was in shown.items())
    ]


def setup_tables(app):
    for name, table in TABLES.items():
        app.add_directive(name, table)
    app.connect("env-get-outdated", outdated)
