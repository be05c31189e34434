"""Explains a term where a chapter uses it first: a button that opens its definition, without a script."""

from html import escape

from docutils import nodes
from sphinx.errors import ExtensionError

from ci.book import BookError
from ci.catalogues import po
from ci.catalogues.check import waivers
from ci.catalogues.definitions import Definitions
from ci.catalogues.sentences import users_sentences

# In tables and links a button would be in the way; what is code or a heading is no prose.
NO_PROSE = (nodes.table, nodes.reference, nodes.literal, nodes.title, nodes.math, nodes.caption)


class used_term(nodes.inline):
    """A term with its `rest`, which follows without a space; its `definition` is one of `catalogues.definitions`."""


def is_prose(text):
    """Whether a text may hold a term that is explained."""
    node = text.parent
    while node is not None and not isinstance(node, NO_PROSE):
        node = node.parent
    return node is None


def waived(book, page):
    """Returns the messages of a page in which, somebody has said, a word is not the term of the glossary."""
    catalogues = filter(lambda path: path.exists(), (book.catalogue(page, code) for code in book.translations))
    return {entry.msgid for path in catalogues for entry in po.parse(path) if "glossary" in waivers(entry)}


def marked(text, uses, rest_of_word):
    """Returns the nodes that stand for a text, given the `(start, end, Definition)` in it that are to be explained."""
    found, last = [], 0
    for start, end, definition in uses:
        rest = rest_of_word.match(text, end)
        term = used_term("", text[start : rest.end()], definition=definition, rest=rest[0])
        found += [nodes.Text(text[last:start]), term]
        last = rest.end()
    return [*found, nodes.Text(text[last:])]


def explain(definitions, doctree, without):
    """Marks the first use of each term in the paragraphs of a page, but for the messages without terms."""
    explained = set()
    for paragraph in doctree.findall(nodes.paragraph):
        message = " ".join(paragraph.rawsource.split())
        if message in without or "untranslated" in paragraph["classes"]:
            continue
        for text in [*paragraph.findall(nodes.Text)]:
            first = []
            for use in definitions.uses(message, text) if is_prose(text) else ():
                if use[2].term not in explained:
                    explained.add(use[2].term)
                    first.append(use)
            if first:
                text.parent.replace(text, marked(str(text), first, definitions.rest))


def visit_used_term(translator, node):
    definition, rest = node["definition"], node["rest"]
    name = f"term-{nodes.make_id(definition.term)}"
    names = translator.builder.app.book.languages
    forms = (f'<span lang="{code}">{names[code]}: {escape(form)}</span>' for code, form in definition.others.items())
    others = " · ".join(forms)
    term = escape(node.astext().removesuffix(rest))
    word = f'<button type="button" class="term" popovertarget="{name}">{term}</button>'
    if rest:
        word = f'<span class="word">{word}{escape(rest)}</span>'
    meaning = f"<b>{escape(definition.own)}</b> {others}<br>{escape(definition.text)}"
    translator.body.append(f'{word}<span popover class="definition" id="{name}">{meaning}</span>')
    raise nodes.SkipNode


def explain_page(app, doctree, docname):
    if app.builder.name == "html" and docname in app.book.chapters:
        explain(app.definitions, doctree, waived(app.book, docname))


def load(app):
    try:
        app.definitions = Definitions(app.book, app.config.language)
    except BookError as error:
        raise ExtensionError(error.say(users_sentences().gettext)) from error


def changed(app, env):
    """Lists the chapters in which other terms are explained now, or otherwise."""
    known = {name: (app.definitions.state, sorted(waived(app.book, name))) for name in app.book.chapters}
    before, env.definitions = getattr(env, "definitions", {}), known
    return [name for name in app.book.chapters if before.get(name) != known[name]]


def setup_terms(app):
    app.add_node(used_term, html=(visit_used_term, None))
    app.connect("builder-inited", load)
    app.connect("env-updated", changed)
    app.connect("doctree-resolved", explain_page, priority=850)  # after `bilingual` has marked what is not translated
