"""Lets names in code lead to the documentation of their library: each name once on a page, where it is used first.

That is what a page can carry, and what somebody who reads with the keyboard may have to pass. sphinx-codeautolink
finds names by marks of Pygments that `light` leaves out, and imports the libraries to guess types.
"""

import re
from html import escape

from docutils import nodes
from pygments.token import Text
from sphinx.errors import ExtensionError

from ci.book import BookError
from ci.catalogues.sentences import users_sentences
from ci.site import documentation
from ci.site.documentation import names
from ci.site.extension.cells.changed_words import LINE, ChangedWordsFormatter

LINKS = "links"  # the option of the formatter that lists them
BEGINS, ENDS = "\ue000", "\ue001"  # stand in code for the marks of a link, until it is HTML; no chapter has them


def with_marks(tokens, marks):
    """Yields tokens (type, text) again, and before each place of {(line, column): mark}, lines from 1, its mark."""
    line, column = 1, 0
    for kind, text in tokens:
        for part in LINE.findall(text):
            start = 0
            for place in range(len(part)):
                if (line, column + place) in marks:
                    yield kind, part[start:place]
                    yield Text, marks[line, column + place]
                    start = place
            yield kind, part[start:]
            line, column = (line + 1, 0) if part.endswith("\n") else (line, column + len(part))


class LinkingFormatter(ChangedWordsFormatter):
    """Makes links of what the option `links` lists, in the order of the text: (line, start, end, address) of each."""

    def __init__(self, **options):
        super().__init__(**options)
        self.links = options.get(LINKS, [])

    def _format_lines(self, tokensource):
        marks = {}
        for line, start, end, _address in self.links:
            marks |= {(line, start): BEGINS, (line, end): ENDS}
        opening = (f'<a href="{escape(address)}">' for *_place, address in self.links)
        for number, html in super()._format_lines(with_marks(tokensource, marks) if marks else tokensource):
            yield number, re.sub(BEGINS, lambda _mark: next(opening), html).replace(ENDS, "</a>")


def code_blocks(doctree):
    """The blocks with the code of the cells, in the order of the page."""
    cells = doctree.findall(lambda node: isinstance(node, nodes.container) and "cell_input" in node["classes"])
    return [cell.next_node(nodes.literal_block) for cell in cells]


def links(found, seen):
    """Yields (line, start, end, address) of what `Documentation.find` found, without the names `seen`, which grow."""
    for use, address in found:
        if use.name not in seen:
            seen.add(use.name)
            yield use.line, use.start, use.start + len(use.written), address


def link_names(app, doctree, page):
    blocks, seen = code_blocks(doctree), set()
    for block, uses in zip(blocks, names.uses([block.astext() for block in blocks]), strict=True):
        found = filter(None, map(app.documentation.find, uses))
        block["highlight_args"] = block.get("highlight_args", {}) | {LINKS: list(links(found, seen))}


def begin(app):
    """Loads the inventories, for the site alone, and lets the formatter make links; `light` makes its own of it.

    Raises:
      ExtensionError: one is missing.
    """
    if app.builder.name == "html":
        try:
            app.documentation = documentation.load(app.config.book_documentation)
        except BookError as error:
            raise ExtensionError(error.say(users_sentences().gettext)) from error
        app.builder.highlighter.formatter = LinkingFormatter
        app.connect("doctree-resolved", link_names)


def setup_api_links(app):
    app.add_config_value("book_documentation", {}, "html", [dict])
    app.connect("builder-inited", begin, priority=600)  # after the words that differ are marked
