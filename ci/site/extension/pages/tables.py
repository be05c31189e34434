"""Fill tables with what the build knows, so that nobody writes them by hand.

Each directive holds the heading of a table, which is translated like any other text:

    ```{status-chapters}
    | chapter | cells | … |
    |---|---|---|
    ```
"""

from operator import itemgetter
from typing import Any, ClassVar, cast

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from ci import _
from ci.book import BookError
from ci.catalogues import definitions, glossary
from ci.catalogues.glossary import Term
from ci.catalogues.sentences import users_sentences
from ci.catalogues.translation_progress import PERCENT, Progress, all_progress
from ci.execution import timings
from ci.notebooks.lessons import LESSONS
from ci.notebooks.sabotages import SABOTAGES
from ci.notebooks.trials import Kind, Result
from ci.site.chapter_status import ChapterStatus, chapter_statuses
from ci.site.extension.application import BookApp
from ci.site.extension.inputs import if_inputs_changed

SHOWN = "shown in tables"  # in the metadata of a page: {directive: its facts, by their `repr`}
UNTRIED = _("not tried since the chapter changed")
MEASURED = _("Measured on {date}, rounds: {rounds}. {processor}, {cores} cores, Python {python}.")


def row(*cells: object) -> nodes.row:
    """Return a row of a table; each cell is a node, or a value whose text is shown and not translated.

    Only a link needs a paragraph around it; hundreds of paragraphs take a phone long to lay out.
    """
    entries = []
    for cell in cells:
        node = cell if isinstance(cell, nodes.Node) else nodes.Text(str(cell))
        if next(node.findall(addnodes.pending_xref), None):
            node = nodes.paragraph("", "", node)
        entries.append(nodes.entry("", node))
    return nodes.row("", *entries)


def link(name: str) -> addnodes.pending_xref:
    """Return a link to a page, with the page's title in the language of the site."""
    reference = {"refdomain": "std", "reftype": "doc", "reftarget": f"/{name}", "refexplicit": False, "refwarn": True}
    return addnodes.pending_xref("", nodes.inline(), **reference)


class Table(SphinxDirective):
    """A table whose heading is the content of the directive, and whose rows show `facts`."""

    has_content = True
    tables: ClassVar[dict[str, type["Table"]]] = {}  # {directive: its class}

    @staticmethod
    def facts(app: BookApp) -> list[Any]:
        """Return what the table shows, as values with a faithful `repr`: if it changes, so does the page."""
        raise NotImplementedError

    def row(self, fact: Any) -> nodes.row:
        """Return the row that shows one of the facts."""
        raise NotImplementedError

    @property
    def app(self) -> BookApp:
        """The application."""
        return cast(BookApp, self.env.app)

    def gettext(self, text: str) -> str:
        """Return a text in the language of the site."""
        return self.app.sentences.gettext(text)

    def run(self) -> list[nodes.Node]:
        """Return the table.

        Raises:
          ExtensionError: The heading has not as many columns as the rows.
        """
        table = next(node for node in self.parse_content_to_nodes() if isinstance(node, nodes.table))
        width = len(list(table.findall(nodes.colspec)))
        facts = facts_of(self.app, self.name)
        self.env.metadata[self.env.docname].setdefault(SHOWN, {})[self.name] = repr(facts)
        body = nodes.tbody("", *map(self.row, facts))
        for line in body:
            columns = sum(1 + entry.get("morecols", 0) for entry in line)
            if columns != width:
                raise ExtensionError(f"{self.env.docname}: {self.name} has {columns} columns, its heading {width}")
        table.next_node(nodes.tgroup).append(body)
        return [table]


class Chapters(Table):
    """Columns: chapter, code cells, of them with a tolerance of their own, of them not compared, seconds, date"""

    @staticmethod
    def facts(app: BookApp) -> list[ChapterStatus]:
        """Return the status of each chapter."""
        return chapter_statuses(app.cache)

    def row(self, fact: ChapterStatus) -> nodes.row:
        """Return the row of a chapter."""
        seconds = "–" if fact.seconds is None else f"{fact.seconds:.0f}"
        return row(link(fact.name), fact.cells, fact.tolerant, fact.exempt, seconds, fact.date)


class Environment(Table):
    """Columns: name, value; as of the chapter executed last"""

    @staticmethod
    def facts(app: BookApp) -> list[tuple[str, Any]]:
        """Return the machine and the packages with which the chapter executed last was executed."""
        entries = map(app.cache.fetch, app.book.chapters)
        environments = (entry.data["environment"] for entry in entries if entry and entry.was_executed)
        newest: dict[str, Any] = max(environments, key=itemgetter("date"), default={})
        return [(name, value) for name, value in newest.items() if name != "date"]

    def row(self, fact: tuple[str, Any]) -> nodes.row:
        """Return the row of a name and its value."""
        return row(*fact)


class Trials(Table):
    """Columns: chapter, what was counted, when"""

    kind: ClassVar[Kind[Any]]
    counts: ClassVar[int]  # columns

    @classmethod
    def facts(cls, app: BookApp) -> list[tuple[str, Result | None]]:
        """Return each chapter that has a list with the result, None if either has changed since."""
        results, names = cls.kind.results(app.book), app.book.chapters
        listed = [name for name in names if cls.kind.path(app.book, name).exists()]
        tried = {name: results[name] for name in listed if name in results}
        current = {name: one for name, one in tried.items() if one.digest == cls.kind.digest(app.book, name)}
        return [(name, current.get(name)) for name in listed]

    def row(self, fact: tuple[str, Result | None]) -> nodes.row:
        """Return the row of a chapter."""
        name, result = fact
        if result:
            return row(link(name), *result.counts.values(), result.date)
        return row(link(name), self.gettext(UNTRIED), *[""] * self.counts)


class Sabotages(Trials):
    """Columns: chapter, sabotages, of them noticed, when"""

    kind, counts = SABOTAGES, 2


class Lessons(Trials):
    """Columns: chapter, lessons, variations, lessons that hold, when"""

    kind, counts = LESSONS, 3


class Bench(Table):
    """Columns: step, median, from, to, executed cells, rendered pages; the last row says when and on what"""

    @staticmethod
    def facts(app: BookApp) -> list[Any]:
        """Return a row for each step that was measured, and at last the circumstances as a dict."""
        measured = timings.load(app.book)
        if not measured:
            return []
        rounds = measured["rounds"]
        return [*timings.rows(rounds), {"rounds": len(rounds), **measured["environment"]}]

    def row(self, fact: Any) -> nodes.row:
        """Return the row of a step, or the last row."""
        if isinstance(fact, timings.Row):
            return row(*timings.words(fact, self.gettext))
        text = self.gettext(MEASURED).format(**fact, python=fact["Python"])
        return nodes.row("", nodes.entry("", nodes.Text(text), morecols=5))


class TranslationProgress(Table):
    """Columns: page, language, a bar, per cent, entries whose English has changed, whether declared complete"""

    @staticmethod
    def facts(app: BookApp) -> list[Progress]:
        """Return the progress of each page in each language."""
        return all_progress(app.book, app.book.pages)

    def row(self, fact: Progress) -> nodes.row:
        """Return the row of a page in a language."""
        name = in_language(self.app.book.languages[fact.language], fact.language)
        percent = self.gettext(PERCENT).format(percent=fact.percent)
        complete = "✓" if fact.complete else ""
        return row(link(fact.page), name, bar(fact.percent), percent, fact.fuzzy or "", complete)


def bar(percent: int) -> nodes.raw:
    """Return a bar; screen readers skip it, since the number stands beside it."""
    return nodes.raw("", f'<progress value="{percent}" max="100" aria-hidden="true"></progress>', format="html")


class Glossary(Table):
    """Columns: English, meaning, translation, what not to write, note; in the language of the site, or in all."""

    @staticmethod
    def facts(app: BookApp) -> list[tuple[str, Term, str]]:
        """Return (language, term, its meaning) for each term."""
        shown, others = app.config.language, app.book.translations
        languages = [shown] if shown in others else others
        meaning = definitions.texts(app.book, shown)
        terms = [(code, term) for code in languages for term in glossary.load(app.book, code).terms]
        return [(code, term, meaning.get(term.english[0], "")) for code, term in terms]

    def row(self, fact: tuple[str, Term, str]) -> nodes.row:
        """Return the row of a term."""
        language, term, meaning = fact
        texts = [term.forms[0], ", ".join(term.avoid), term.note]
        own = [in_language(text, language) if language != self.config.language else text for text in texts]
        return row(in_language(", ".join(term.english), self.app.book.source_language), meaning, *own)


def in_language(text: str, code: str) -> nodes.Node:
    """Return a text that says which language it is in."""
    return nodes.inline("", text, classes=[f"language-{code}"]) if text else nodes.Text("")


def facts_of(app: BookApp, directive: str) -> list[Any]:
    """Return the facts of a table.

    Raises:
      ExtensionError: A file from which they come, such as a catalogue, cannot be read.
    """
    try:
        return Table.tables[directive].facts(app)
    except BookError as error:
        raise ExtensionError(error.say(users_sentences().gettext)) from error


def outdated(app: BookApp, env: BuildEnvironment, *_changes: set[str]) -> list[str]:
    """Return the pages with a table that would show something else now."""
    tables = {name: data[SHOWN] for name, data in env.metadata.items() if SHOWN in data}
    return [
        page
        for page, shown in tables.items()
        if any(repr(facts_of(app, directive)) != before for directive, before in shown.items())
    ]


def add_table(app: Sphinx, directive: str, table: type[Table]) -> None:
    """Register a class of tables under the name of its directive."""
    Table.tables[directive] = table
    app.add_directive(directive, table)


def setup_tables(app: Sphinx) -> None:
    """Add the directives, and read a page again when a table of it would show something else."""
    add_table(app, "translation-progress", TranslationProgress)
    add_table(app, "glossary-table", Glossary)
    add_table(app, "status-chapters", Chapters)
    add_table(app, "status-environment", Environment)
    add_table(app, "status-sabotages", Sabotages)
    add_table(app, "status-lessons", Lessons)
    add_table(app, "status-bench", Bench)
    app.connect("env-get-outdated", if_inputs_changed(outdated))
