"""Show the index of errors and the index of symptoms, made of what the chapters print and of their tables.

The directives `error-index` and `symptom-index` are tables as those of `tables`.
"""

import hashlib
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from ci.execution.cache import code_cells
from ci.site import errors
from ci.site.errors import Error, Symptom
from ci.site.extension.application import BookApp
from ci.site.extension.output.elements import inline
from ci.site.extension.pages.tables import Table, add_table, link, row

Translations = list[str | None]


class Index(Table):
    """A table with a row for each thing that some chapters have."""

    def text(self, chapter: str, markdown: str) -> nodes.inline:
        """Return some Markdown of a chapter, in the language of the site."""
        if translation := self.app.messages(chapter).get(markdown):
            return inline(translation)
        text = inline(markdown)
        if self.config.language != self.app.book.source_language:
            text["classes"] += ["untranslated", f"language-{self.app.book.source_language}"]
        return text

    def place(self, chapter: str, section: str, fragment: str) -> nodes.inline:
        """Return a link to a chapter, and one to a place in a section of it."""
        address = self.app.builder.get_relative_uri(self.env.docname, chapter)
        there = nodes.reference("", "", self.text(chapter, section), internal=True, refuri=f"{address}#{fragment}")
        return nodes.inline("", "", link(chapter), nodes.Text(": "), there)


def translated(app: BookApp, chapter: str, *texts: str) -> Translations:
    """Return the translations that a row shows of some texts of a chapter, so that the page changes with them."""
    return [app.messages(chapter).get(text) for text in texts]


class Errors(Index):
    """Columns: error, what it means, where it is provoked, where a cell shows how to do it right"""

    @staticmethod
    def facts(app: BookApp) -> list[tuple[Error, list[Translations]]]:
        """Return the errors of all chapters that have outputs, with the translations of what is shown of them."""
        meanings = errors.meanings(app.book)
        entries = {name: entry.notebook for name in app.book.chapters if (entry := app.cache.fetch(name))}
        chapters = {name: entries.get(name) or app.cache.chapter(name) for name in app.book.chapters}
        found = [error for name in entries for error in errors.errors(name, chapters, meanings)]
        return [(error, [translated(app, *place) for place in places(error)]) for error in found]

    def row(self, fact: tuple[Error, list[Translations]]) -> nodes.row:
        """Return the row of an error."""
        error = fact[0]
        message = nodes.literal("", f"{error.name}: {error.text}")
        meaning = inline(error.meanings.get(self.config.language, ""))
        provoked = self.place(error.chapter, error.section, errors.anchor(error.section))
        repaired: Any = ""
        if error.repair:
            repaired = self.place(error.repair.chapter, error.repair.section, cell_name(error.repair.number))
        shown = row(message, meaning, provoked, repaired)
        shown["ids"].append(row_name(error))
        return shown


class Symptoms(Index):
    """Columns: symptom, possible cause, where the test is"""

    @staticmethod
    def facts(app: BookApp) -> list[tuple[Symptom, Translations]]:
        """Return the symptoms of all chapters, with the translations of what is shown of them."""
        found = [symptom for name in app.book.chapters for symptom in errors.symptoms(name, app.cache.chapter(name))]
        return [(one, translated(app, one.chapter, one.symptom, one.cause, one.section)) for one in found]

    def row(self, fact: tuple[Symptom, Translations]) -> nodes.row:
        """Return the row of a symptom."""
        one = fact[0]
        symptom, cause = self.text(one.chapter, one.symptom), self.text(one.chapter, one.cause)
        return row(symptom, cause, self.place(one.chapter, one.section, errors.anchor(one.section)))


def places(error: Error) -> list[tuple[str, str]]:
    """Return (chapter, title of a section) for each place that the row of an error names."""
    repaired = [(error.repair.chapter, error.repair.section)] if error.repair else []
    return [(error.chapter, error.section), *repaired]


def row_name(error: Error) -> str:
    """Return the id of the row of an error, to which the search leads."""
    return f"error-{hashlib.sha256(f'{error.chapter} {error.name} {error.text}'.encode()).hexdigest()[:8]}"


def cell_name(number: int) -> str:
    """Return the id of a code cell, given its number from 1."""
    return f"cell-{number}"


def name_cells(app: BookApp, doctree: nodes.document) -> None:
    """Give each code cell of a chapter that is shown its id."""
    if app.env.docname not in app.book.chapters:
        return
    numbered = enumerate(code_cells(app.cache.chapter(app.env.docname)), start=1)
    for cell in doctree.findall(lambda node: isinstance(node, nodes.container) and "cell" in node["classes"]):
        if code := cell.next_node(nodes.literal_block):
            source = code.astext().strip()
            # Cells are shown in their order, and some are not shown, so the search goes on behind the last one.
            number = next((number for number, other in numbered if other.source.strip() == source), None)
            if number:
                cell["ids"].append(cell_name(number))


def setup(app: Sphinx) -> None:
    """Add the directives, and the ids to which their rows lead."""
    add_table(app, "error-index", Errors)
    add_table(app, "symptom-index", Symptoms)
    app.connect("doctree-read", name_cells)
