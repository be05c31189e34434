"""The index of errors and symptoms, made of what the chapters print and of their tables."""

import functools

from docutils import nodes

from ci.execution.cache import code_cells, executed, read
from ci.site import troubles
from ci.site.extension.quoting import inline, title
from ci.site.extension.tables import TABLES, Table, row


class Index(Table):
    """A table with a row for each thing that some chapters have."""

    def messages(self, chapter):
        return self.env.app.messages(chapter)

    def said(self, chapter, markdown):
        """Some Markdown of a chapter, in the language of the site."""
        return inline(self.messages(chapter).get(markdown, markdown))

    def link(self, chapter, fragment, *text):
        address = self.env.app.builder.get_relative_uri(self.env.docname, chapter)
        return nodes.reference("", "", *text, internal=True, refuri=f"{address}#{fragment}")

    def place(self, one):
        """A link to the section of a chapter, by the titles of both."""
        chapter, section = title(self.env.app, one.chapter), self.said(one.chapter, one.section)
        return self.link(one.chapter, troubles.anchor(one.section), chapter, nodes.Text(": "), section)


class Errors(Index):
    """error, what it means, where it is provoked, the cell that shows how to do it right"""

    @staticmethod
    def facts(app):
        return app.errors()

    def row(self, one):
        meaning = one.meanings.get(self.config.language, "")
        message, repair = nodes.literal("", f"{one.name}: {one.text}"), ""
        if one.repair:
            chapter, number = one.repair
            repair = self.link(chapter, cell_name(number), nodes.Text(str(number)))
        return row(message, inline(meaning), self.place(one), repair)


class Symptoms(Index):
    """symptom, possible cause, where"""

    @staticmethod
    def facts(app):
        book = app.book
        found = [symptom for name in book.chapters for symptom in troubles.symptoms(name, read(book, name))]
        return [(one, app.messages(one.chapter).get(one.symptom)) for one in found]

    def row(self, fact):
        one, _translation = fact
        return row(self.said(one.chapter, one.symptom), self.said(one.chapter, one.cause), self.place(one))


def errors(app):
    """The errors of all chapters that have outputs."""
    cache = executed(app.book)
    entries = [(name, cache.fetch(name)) for name in app.book.chapters]
    return [error for name, entry in entries if entry for error in troubles.errors(app.book, name, entry.notebook)]


def cell_name(number):
    return f"cell-{number}"


def name_cells(app, doctree, docname):
    """Lets the index lead to the cells that show how to do it right."""
    if docname not in app.book.chapters:
        return
    repairs = {error.repair for error in app.errors()} - {None}
    numbers = {number for chapter, number in repairs if chapter == docname}
    cells = code_cells(read(app.book, docname))
    wanted = {cells[number - 1].source: cell_name(number) for number in numbers}
    for cell in doctree.findall(lambda node: isinstance(node, nodes.container) and "cell" in node["classes"]):
        code = cell.next_node(nodes.literal_block)
        if code and (name := wanted.pop(code.astext().rstrip("\n"), None)):
            cell["ids"].append(name)


def setup_troubles(app):
    app.errors = functools.cache(lambda: errors(app))
    app.connect("doctree-resolved", name_cells)
    for name, table in (("error-index", Errors), ("symptom-index", Symptoms)):
        TABLES[name] = table
        app.add_directive(name, table)
