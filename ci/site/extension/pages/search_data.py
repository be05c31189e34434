"""Write the data of the search page: the text of each section, so that a result is a section and not a page.

This replaces Sphinx's search, which finds only whole pages. The text of the sections is stored in the environment when
a page is read. When the build has finished, one file per language is written, which only the search page loads.
`theme/static/search.js` searches in it.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment

from ci.book import Book, languages
from ci.catalogues import glossary, lists
from ci.site.extension.application import BookApp, errors_as_sphinx_says_them

SECTIONS = "sections"  # the key in the metadata of a page, for what `sections` returns
BETWEEN_CELLS = "·"  # separates the cells of a row
FORMULA = "…"  # replaces a formula, whose TeX source is not readable
FILE = Path("_static", "sections.js")


def is_text(node: nodes.Node) -> bool:
    """Return whether a node is an outermost block of text that readers see.

    Comments, raw HTML and displayed formulas are not, nor is the text of an output that has several MIME types, such
    as a picture.
    """
    if not isinstance(node, nodes.TextElement) or isinstance(node.parent, nodes.TextElement):
        return False
    if isinstance(node, (nodes.comment, nodes.raw, nodes.math_block)):
        return False
    bundle = node.parent.parent if isinstance(node.parent, nodes.container) and "mime_type" in node.parent else None
    return bundle is None or len(bundle.children) == 1


def readable(block: nodes.Node) -> str:
    """Return the text of a block, with its inline formulas replaced by `FORMULA`."""
    texts = block.findall(nodes.Text)
    return "".join(FORMULA if isinstance(text.parent, nodes.math) else text.astext() for text in texts)


def blocks(node: nodes.Element) -> Iterator[nodes.Node]:
    """Yield the blocks of text in a node."""
    for child in node.children:
        if isinstance(child, nodes.entry) and child is not node[0] and child.astext():
            yield nodes.inline("", BETWEEN_CELLS)
        if is_text(child) or (isinstance(child, nodes.entry) and any(isinstance(part, nodes.Text) for part in child)):
            yield child
        else:
            yield from blocks(child)


def own_text(section: nodes.section) -> tuple[str, str]:
    """Return the prose and the code (with outputs) of a section, without its title and subsections."""
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

    The page itself is the first one, with the id "".
    """
    places: list[list[str]] = []
    for section in doctree.findall(nodes.section):
        title = section.next_node(nodes.title)
        places.append([section["ids"][0] if places else "", title.astext(), *own_text(section)])
    return places


def keep_sections(app: Sphinx, doctree: nodes.document) -> None:
    """Store the sections of a page in the environment."""
    app.env.metadata[app.env.docname][SECTIONS] = sections(doctree)


def same_meaning(book: Book) -> list[list[str]]:
    """Return groups of synonyms: those of locale/synonyms.csv in all languages, and the forms of the glossary's terms.

    A search for one also finds the others. Only the first form of a translation is used: the other forms are stems,
    which would match unrelated words.
    """
    rows = lists.rows(book.root / "locale" / "synonyms.csv", ["language", "words"])
    said = [row["words"].split(";") for _line, row in rows if row["language"] in book.languages]
    terms = [term for language in book.translations for term in glossary.load(book, language).terms]
    forms = [[*term.english, *term.forms[:1], *term.avoid] for term in terms]
    return said + [group for group in forms if len(group) > 1]


def script(book: Book, env: BuildEnvironment, language: str) -> str:
    """Return the JavaScript that the search page loads: a call of `searchIn` with the sections of all pages.

    Raise BookError if a list in `locale` cannot be read, or `search.csv` has words for a section that does not exist.
    """
    own, asked = languages.module(language, "words"), lists.search_words(book)
    ids = {page: [section[0] for section in env.metadata[page][SECTIONS]] for page in book.pages}
    lists.refuse_unknown(book, asked, ids)
    pages = []
    for page in book.pages:
        found = [[*section, asked.get((page, section[0]), "")] for section in env.metadata[page][SECTIONS]]
        pages.append((page, page in book.chapters, found))
    data = {"pages": pages, "sameMeaning": same_meaning(book), "words": own and own.for_search()}
    return f"searchIn({json.dumps(data, ensure_ascii=False, separators=(',', ':'))})\n"


def write_sections(app: BookApp, error: Exception | None) -> None:
    """Write the search data of the language, unless the build has failed, in HTML builds only."""
    if error is None and app.builder.name == "html":
        with errors_as_sphinx_says_them():
            text = script(app.book, app.env, app.config.language)
        Path(app.outdir, FILE).write_text(text, encoding="utf-8")


class SiteBuilder(StandaloneHTMLBuilder):
    """Sphinx's HTML builder with the search page of the theme, and without the index of Sphinx's own."""

    search = False

    def gen_additional_pages(self) -> None:
        """Write the search page."""
        super().gen_additional_pages()
        self.handle_page("search", {}, "search.html")


def setup(app: Sphinx) -> None:
    """Replace Sphinx's HTML builder, and connect the handlers."""
    app.add_builder(SiteBuilder, override=True)
    app.connect("doctree-read", keep_sections)
    app.connect("build-finished", write_sections)
