"""The directives `error-index` and `symptom-index`: tables of the errors and symptoms in all chapters.

`ci.site.errors` collects them from the chapters. The directives work like those of `tables`.
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
    """Base class of the two tables: cells with translated text of a chapter, and with links into it."""

    def text(self, chapter: str, markdown: str) -> nodes.inline:
        """Return a node with the translation of some Markdown of a chapter, or with the Markdown and its `lang`."""
        if translation := self.app.messages(chapter).get(markdown):
            return inline(translation)
        text = inline(markdown)
        if self.config.language != self.app.book.source_language:
            text["classes"] += ["untranslated", f"language-{self.app.book.source_language}"]
        return text

    def place(self, chapter: str, section: str, fragment: str) -> nodes.inline:
        """Return a link to a chapter, and one to a fragment of its page, with the section title as text."""
        address = self.app.builder.get_relative_uri(self.env.docname, chapter)
        there = nodes.reference("", "", self.text(chapter, section), internal=True, refuri=f"{address}#{fragment}")
        return nodes.inline("", "", link(chapter), nodes.Text(": "), there)


def translated(app: BookApp, chapter: str, *texts: str) -> Translations:
    """Return the translations of texts of a chapter, or None; in `facts`, they make the page depend on them."""
    return [app.messages(chapter).get(text) for text in texts]


class Errors(Index):
    """Columns: error, what it means, where it is provoked, where a cell shows how to do it right"""

    @staticmethod
    def facts(app: BookApp) -> list[tuple[Error, list[Translations]]]:
        """Return (error, translations) for the errors of all chapters that have outputs."""
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
        """Return (symptom, translations) for the symptoms of all chapters."""
        found = [symptom for name in app.book.chapters for symptom in errors.symptoms(name, app.cache.chapter(name))]
        return [(one, translated(app, one.chapter, one.symptom, one.cause, one.section)) for one in found]

    def row(self, fact: tuple[Symptom, Translations]) -> nodes.row:
        """Return the row of a symptom."""
        one = fact[0]
        symptom, cause = self.text(one.chapter, one.symptom), self.text(one.chapter, one.cause)
        return row(symptom, cause, self.place(one.chapter, one.section, errors.anchor(one.section)))


def places(error: Error) -> list[tuple[str, str]]:
    """Return (chapter, section title) for each link in the row of an error."""
    repaired = [(error.repair.chapter, error.repair.section)] if error.repair else []
    return [(error.chapter, error.section), *repaired]


def row_name(error: Error) -> str:
    """Return the HTML id of the row of an error; results of the search link to it."""
    return f"error-{hashlib.sha256(f'{error.chapter} {error.name} {error.text}'.encode()).hexdigest()[:8]}"


def cell_name(number: int) -> str:
    """Return the HTML id of a code cell, given its number in the chapter, from 1."""
    return f"cell-{number}"


def name_cells(app: BookApp, doctree: nodes.document) -> None:
    """Add an id (see `cell_name`) to each visible code cell of a chapter."""
    if app.env.docname not in app.book.chapters:
        return
    numbered = enumerate(code_cells(app.cache.chapter(app.env.docname)), start=1)
    for cell in doctree.findall(lambda node: isinstance(node, nodes.container) and "cell" in node["classes"]):
        if code := cell.next_node(nodes.literal_block):
            source = code.astext().strip()
            # Some cells are not shown. The others are in order, so the iteration continues after the last match.
            number = next((number for number, other in numbered if other.source.strip() == source), None)
            if number:
                cell["ids"].append(cell_name(number))


def setup(app: Sphinx) -> None:
    """Register the directives, and connect the handler that adds the ids."""
    add_table(app, "error-index", Errors)
    add_table(app, "symptom-index", Symptoms)
    app.connect("doctree-read", name_cells)
