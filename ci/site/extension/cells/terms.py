"""Attach its definition to the first use of each term in a chapter: a button with a popover, without JavaScript."""

import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import NoReturn

from docutils import nodes
from sphinx.writers.html5 import HTML5Translator

from ci.book import Book
from ci.catalogues import po
from ci.catalogues.check import waivers
from ci.catalogues.glossary import Definition, Definitions
from ci.site.extension import priorities
from ci.site.extension.application import BookApp, errors_as_sphinx_says_them

Use = tuple[int, int, Definition]  # (start, end, definition) of a term in a text
# Nodes in which terms are not explained: in tables and links a button would disturb; the others are not prose.
NO_PROSE = (nodes.table, nodes.reference, nodes.literal, nodes.title, nodes.math, nodes.caption)


class UsedTerm(nodes.inline):
    """A node for a term with its ending. Its text is what the page says; `html` is what HTML builds write."""


def _is_prose(node: nodes.Node | None) -> bool:
    return node is None or (not isinstance(node, NO_PROSE) and _is_prose(node.parent))


def _waived(book: Book, page: str) -> set[str]:
    """Return the messages of a page that a translator has exempted from the check against the glossary."""
    catalogues = (book.catalogue(page, code) for code in book.translations)
    return {
        entry.msgid for path in catalogues if path.exists() for entry in po.parse(path) if "glossary" in waivers(entry)
    }


def _explained(term: str, ending: str, definition: Definition, languages: dict[str, str]) -> str:
    """Return the HTML of a term: a button, the ending of the word, and the popover with the definition."""
    name = f"term-{nodes.make_id(definition.term)}"
    forms = definition.others.items()
    others = " · ".join(f'<span lang="{code}">{languages[code]}: {escape(form)}</span>' for code, form in forms)
    word = f'<button type="button" class="term" popovertarget="{name}">{escape(term)}</button>'
    if ending:
        word = f'<span class="word">{word}{escape(ending)}</span>'
    meaning = f"<b>{escape(definition.own)}</b> {others}<br>{escape(definition.text)}"
    return f'{word}<span popover class="definition" id="{name}">{meaning}</span>'


def marked(
    text: str, uses: Iterable[Use], ending_of: re.Pattern[str], languages: dict[str, str]
) -> Iterator[nodes.Node]:
    """Yield the nodes that replace a text: `UsedTerm` for the uses of terms, and text between them.

    The pattern matches what the language attaches to a noun, such as a particle; `languages` is {code: name}.
    """
    last = 0
    for start, end, definition in uses:
        match = ending_of.match(text, end)
        ending = match[0] if match else ""
        yield nodes.Text(text[last:start])
        last = end + len(ending)
        yield UsedTerm("", text[start:last], html=_explained(text[start:end], ending, definition, languages))
    yield nodes.Text(text[last:])


def _explain(app: BookApp, doctree: nodes.document, page: str) -> None:
    """Attach its definition to the first use of each defined term in the paragraphs of a chapter, only in HTML."""
    if app.builder.name != "html" or page not in app.book.chapters:
        return
    definitions, without, known = app.definitions, _waived(app.book, page), set()
    for paragraph in doctree.findall(nodes.paragraph):
        message = " ".join(paragraph.rawsource.split())
        if message in without or "untranslated" in paragraph["classes"]:
            continue
        for text in filter(_is_prose, list(paragraph.findall(nodes.Text))):
            first = []
            for use in definitions.uses(message, text):
                if use[2].term not in known:
                    known.add(use[2].term)
                    first.append(use)
            if first:
                text.parent.replace(text, list(marked(str(text), first, definitions.rest, app.book.languages)))


def _visit(translator: HTML5Translator, node: UsedTerm) -> NoReturn:
    translator.body.append(node["html"])
    raise nodes.SkipNode


def _load(app: BookApp) -> None:
    with errors_as_sphinx_says_them():
        app.definitions = Definitions(app.book, app.config.language)


def setup(app: BookApp) -> None:
    """Register the node, and connect the handlers."""
    app.add_node(UsedTerm, html=(_visit, None))
    app.connect("builder-inited", _load)
    app.connect("doctree-resolved", _explain, priority=priorities.EXPLAIN_TERMS)
