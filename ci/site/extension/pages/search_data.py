"""Write what the search page loads: the text of each section, so that a reader finds a place in a page.

Sphinx's own search knows whole pages. Here each page leaves the text of its sections in the environment, one file per
language holds those of all pages, and the search page alone loads it. `theme/static/search.js` finds and sorts.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment

from ci.book import Book, languages
from ci.catalogues import glossary, search_words
from ci.site.extension.application import BookApp, errors_as_sphinx_says_them

SECTIONS = "sections"  # in the metadata of a page
BETWEEN_CELLS = "·"  # stands between the cells of a row
FORMULA = "…"  # stands for a formula, whose source is not for reading
FILE = Path("_static", "sections.js")


def is_text(node: nodes.Node) -> bool:
    """Return whether a node holds text itself, and is neither markup nor the text beside a picture of an output."""
    if not isinstance(node, nodes.TextElement) or isinstance(node.parent, nodes.TextElement):
        return False
    if isinstance(node, (nodes.comment, nodes.raw, nodes.math_block)):
        return False
    bundle = node.parent.parent if isinstance(node.parent, nodes.container) and "mime_type" in node.parent else None
    return bundle is None or len(bundle.children) == 1


def readable(block: nodes.Node) -> str:
    """Return the text of a block, without the source of its formulas."""
    texts = block.findall(nodes.Text)
    return "".join(FORMULA if isinstance(text.parent, nodes.math) else text.astext() for text in texts)


def blocks(node: nodes.Element) -> Iterator[nodes.Node]:
    """Yield the blocks of text within a node, except the rows that have an id: search finds each of them by itself."""
    for child in node.children:
        if isinstance(child, nodes.row) and child["ids"]:
            continue
        if isinstance(child, nodes.entry) and child is not node[0] and child.astext():
            yield nodes.inline("", BETWEEN_CELLS)
        if is_text(child) or (isinstance(child, nodes.entry) and any(isinstance(part, nodes.Text) for part in child)):
            yield child
        else:
            yield from blocks(child)


def own_text(section: nodes.section) -> tuple[str, str]:
    """Return the prose and the code, outputs included, of a section without the sections within it."""
    prose: list[str] = []
    code: list[str] = []
    for child in section.children:
        if not isinstance(child, (nodes.section, nodes.title)):
            for block in [child] if is_text(child) else blocks(child):
                if isinstance(block, nodes.literal_block):
                    code.append(block.astext())
                else:
                    prose.append(readable(block))
    return " ".join(" ".join(prose).split()), "\n".join(code)


def sections(doctree: nodes.document) -> list[list[str]]:
    """Return [id, title, prose, code] of each section of a page, in the language of the page.

    The page itself comes first, with the id "". A row of a table that has an id counts as a section: its first cell is
    the title, and cells with a link to another page are left out.
    """
    places: list[list[str]] = []
    for section in doctree.findall(nodes.section):
        title = section.next_node(nodes.title)
        places.append([section["ids"][0] if places else "", title.astext(), *own_text(section)])
    for row in doctree.findall(lambda node: isinstance(node, nodes.row) and node["ids"]):
        title, *cells = row
        prose = (readable(cell) for cell in cells if not next(cell.findall(addnodes.pending_xref), None))
        places.append([row["ids"][0], readable(title), " ".join(filter(None, prose)), ""])
    return places


def keep_sections(app: Sphinx, doctree: nodes.document) -> None:
    """Keep the sections of a page in the environment."""
    app.env.metadata[app.env.docname][SECTIONS] = sections(doctree)


def same_meaning(book: Book) -> list[list[str]]:
    """Return groups of words with one meaning, in all languages: a search for one word also finds the others.

    Only the first form of a translated term is used. The other forms are stems, which would match unrelated words.
    """
    terms = [term for language in book.translations for term in glossary.load(book, language).terms]
    forms = [[*term.english, *term.forms[:1], *term.avoid] for term in terms]
    return [group for group in forms if len(group) > 1]


def script(book: Book, env: BuildEnvironment, language: str) -> str:
    """Return what the search page loads: a call with the sections of all pages in a language.

    Raises:
      BookError: The list of readers' words cannot be read, or has words for a section that does not exist.
    """
    own, asked = languages.module(language, "words"), search_words.load(book)
    ids = {page: [section[0] for section in env.metadata[page][SECTIONS]] for page in book.pages}
    search_words.refuse_unknown(book, asked, ids)
    pages = []
    for page in book.pages:
        found = [[*section, asked.get((page, section[0]), "")] for section in env.metadata[page][SECTIONS]]
        pages.append((page, page in book.chapters, found))
    data = {
        "pages": pages,
        "sameMeaning": same_meaning(book),
        "words": own and {"letters": own.LETTERS, "ending": own.ENDING},
    }
    return f"searchIn({json.dumps(data, ensure_ascii=False, separators=(',', ':'))})\n"


def write_sections(app: BookApp, error: Exception | None) -> None:
    """Write the file of a language, unless the build has failed.

    Raises:
      ExtensionError: As `script`.
    """
    if error is None and app.builder.name == "html":
        with errors_as_sphinx_says_them():
            text = script(app.book, app.env, app.config.language)
        Path(app.outdir, FILE).write_text(text, encoding="utf-8")


def replace_search(app: Sphinx) -> None:
    """Let Sphinx neither index the pages nor make its own search page."""
    if isinstance(app.builder, StandaloneHTMLBuilder) and app.builder.name == "html":
        app.builder.search = False
        app.config.html_additional_pages = {**app.config.html_additional_pages, "search": "search.html"}


def setup(app: Sphinx) -> None:
    """Connect the handlers."""
    app.connect("builder-inited", replace_search)
    app.connect("doctree-read", keep_sections)
    app.connect("build-finished", write_sections)
