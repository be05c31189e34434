"""Search by sections: what a reader finds is a place in a page, with the text around what was searched for.

Sphinx's own search knows whole pages. Here each page leaves the text of its sections in the environment, one file per
language holds those of all pages, and the search page alone loads it. `theme/static/search.js` finds and sorts.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.errors import ExtensionError

from ci.book import BookError, languages
from ci.catalogues import glossary, search_words
from ci.catalogues.sentences import users_sentences

SECTIONS = "sections"  # in the metadata of a page
BETWEEN_CELLS = "·"  # of a row of a table
FORMULA = "…"  # instead of its source, which is not for reading
FILE = Path("_static", "sections.js")


def is_text(node):
    """Whether a node holds text itself, and is neither markup nor the description of a picture beside it."""
    if not isinstance(node, nodes.TextElement) or isinstance(node.parent, nodes.TextElement):
        return False
    if isinstance(node, (nodes.comment, nodes.raw, nodes.math_block)):
        return False
    bundle = node.parent.parent if isinstance(node.parent, nodes.container) and "mime_type" in node.parent else None
    return bundle is None or len(bundle.children) == 1


def readable(block):
    """The text of a block, without the source of its formulas."""
    texts = block.findall(nodes.Text)
    return "".join(FORMULA if isinstance(text.parent, nodes.math) else text.astext() for text in texts)


def blocks(node):
    """Yields the blocks of text within a node, but for rows that are found by themselves."""
    for child in node.children:
        if isinstance(child, nodes.row) and child["ids"]:
            continue
        if isinstance(child, nodes.entry) and child is not node[0] and child.astext():
            yield nodes.inline("", BETWEEN_CELLS)
        if is_text(child) or isinstance(child, nodes.entry) and any(isinstance(part, nodes.Text) for part in child):
            yield child
        else:
            yield from blocks(child)


def own_text(section):
    """Returns the prose and the code, outputs included, of a section without those within it."""
    prose, code = [], []
    for child in section.children:
        if not isinstance(child, (nodes.section, nodes.title)):
            for block in [child] if is_text(child) else blocks(child):
                if isinstance(block, nodes.literal_block):
                    code.append(block.astext())
                else:
                    prose.append(readable(block))
    return " ".join(" ".join(prose).split()), "\n".join(code)


def sections(doctree):
    """Returns [id, title, prose, code] of each section of a page, the page itself first, by the id "".

    A row of a table that has an id is one, too: its first cell is the title, and those that lead elsewhere are left
    out. The titles are those of its language.
    """
    found = []
    for section in doctree.findall(nodes.section):
        title = section.next_node(nodes.title)
        found.append([section["ids"][0] if found else "", title.astext(), *own_text(section)])
    for row in doctree.findall(lambda node: isinstance(node, nodes.row) and node["ids"]):
        title, *cells = row
        prose = (readable(cell) for cell in cells if not next(cell.findall(addnodes.pending_xref), None))
        found.append([row["ids"][0], readable(title), " ".join(filter(None, prose)), ""])
    return found


def keep_sections(app, doctree):
    app.env.metadata[app.env.docname][SECTIONS] = sections(doctree)


def same_meaning(book):
    """Returns lists of words, in all languages, of which readers type one and find the others.

    Of a translation that inflects, the glossary has stems after its first form; they begin words of other meanings.
    """
    terms = [term for language in book.translations for term in glossary.load(book, language).terms]
    forms = [[*term.english, *term.forms[:1], *term.avoid] for term in terms]
    return [group for group in forms if len(group) > 1]


def script(book, env, language):
    """What the search page loads: a call with the sections of all pages in a language.

    Raises:
      BookError: the list of readers' words cannot be read, or has words for a section that is not there.
    """
    own, asked = languages.module(language, "words"), search_words.load(book)
    ids = {page: [section[0] for section in env.metadata[page][SECTIONS]] for page in book.pages}
    search_words.refuse_unknown(book, asked, ids)
    pages = []
    for page in book.pages:
        found = [[*section, asked.get((page, section[0]), "")] for section in env.metadata[page][SECTIONS]]
        pages.append([page, page in book.chapters, found])
    data = {
        "pages": pages,
        "sameMeaning": same_meaning(book),
        "words": own and {"letters": own.LETTERS, "ending": own.ENDING},
    }
    return f"searchIn({json.dumps(data, ensure_ascii=False, separators=(',', ':'))})\n"


def write_sections(app, error):
    if error is None and app.builder.name == "html":
        try:
            text = script(app.book, app.env, app.config.language)
        except BookError as said:
            raise ExtensionError(said.say(users_sentences().gettext)) from said
        Path(app.outdir, FILE).write_text(text, encoding="utf-8")


def own_search(app):
    """Sphinx neither indexes the pages nor makes a page of its own for searching."""
    if app.builder.name == "html":
        app.builder.search = False
        app.config.html_additional_pages = {**app.config.html_additional_pages, "search": "search.html"}


def setup_search(app):
    app.connect("builder-inited", own_search)
    app.connect("doctree-read", keep_sections)
    app.connect("build-finished", write_sections)
