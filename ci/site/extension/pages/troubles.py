"""The index of errors and symptoms, made of what the chapters print and of their tables."""

import hashlib

from docutils import nodes

from ci.execution.cache import code_cells, read
from ci.site import troubles
from ci.site.extension.output.elements import inline
from ci.site.extension.pages.tables import TABLES, Table, link, row


class Index(Table):
    """A table with a row for each thing that some chapters have."""

    def said(self, chapter, markdown):
        """Some Markdown of a chapter, in the language of the site."""
        app = self.env.app
        if translation := app.messages(chapter).get(markdown):
            return inline(translation)
        text = inline(markdown)
        if app.config.language != app.book.source_language:
            text["classes"] += ["untranslated", f"language-{app.book.source_language}"]
        return text

    def place(self, chapter, section, fragment):
        """A link to a chapter, and one to a place in a section of it."""
        address = self.env.app.builder.get_relative_uri(self.env.docname, chapter)
        there = nodes.reference("", "", self.said(chapter, section), internal=True, refuri=f"{address}#{fragment}")
        return nodes.inline("", "", link(chapter), nodes.Text(": "), there)


def translated(app, chapter, *texts):
    """What a row shows of these texts of a chapter, so that the page changes with them."""
    return [app.messages(chapter).get(text) for text in texts]


class Errors(Index):
    """error, what it means, where it is provoked, where a cell shows how to do it right"""

    @staticmethod
    def facts(app):
        found = []
        for name in app.book.chapters:
            if entry := app.cache.fetch(name):
                found += troubles.errors(app.book, name, entry.notebook)
        places = [[(one.chapter, one.section), *([one.repair[::2]] if one.repair else [])] for one in found]
        return [(one, [translated(app, *place) for place in shown]) for one, shown in zip(found, places, strict=True)]

    def row(self, fact):
        one, *_shown = fact
        message = nodes.literal("", f"{one.name}: {one.text}")
        meaning = inline(one.meanings.get(self.config.language, ""))
        provoked = self.place(one.chapter, one.section, troubles.anchor(one.section))
        repaired = ""
        if one.repair:
            chapter, number, section = one.repair
            repaired = self.place(chapter, section, cell_name(number))
        found = row(message, meaning, provoked, repaired)
        found["ids"].append(row_name(one))
        return found


class Symptoms(Index):
    """symptom, possible cause, where the test is"""

    @staticmethod
    def facts(app):
        book = app.book
        found = [symptom for name in book.chapters for symptom in troubles.symptoms(name, read(book, name))]
        return [(one, translated(app, one.chapter, one.symptom, one.cause, one.section)) for one in found]

    def row(self, fact):
        one, _shown = fact
        symptom, cause = self.said(one.chapter, one.symptom), self.said(one.chapter, one.cause)
        return row(symptom, cause, self.place(one.chapter, one.section, troubles.anchor(one.section)))


TABLES |= {"error-index": Errors, "symptom-index": Symptoms}  # `tables` makes directives of all


def row_name(error):
    """The id of the row of an error, which the search leads to."""
    return f"error-{hashlib.sha256(f'{error.chapter} {error.name} {error.text}'.encode()).hexdigest()[:8]}"


def cell_name(number):
    return f"cell-{number}"


def name_cells(app, doctree):
    """Gives each code cell of a chapter that is shown an id, by its number from 1."""
    if app.env.docname not in app.book.chapters:
        return
    numbered = list(enumerate(code_cells(read(app.book, app.env.docname)), start=1))
    for cell in doctree.findall(lambda node: isinstance(node, nodes.container) and "cell" in node["classes"]):
        code = cell.next_node(nodes.literal_block)
        source = code.astext().strip() if code else None
        while source and numbered:
            number, one = numbered.pop(0)
            if one.source.strip() == source:
                cell["ids"].append(cell_name(number))
                break


def setup_troubles(app):
    app.connect("doctree-read", name_cells)
