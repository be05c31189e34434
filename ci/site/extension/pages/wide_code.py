"""Let the keyboard scroll blocks of code that may be too wide; the page's script takes that back where one fits."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

NARROW = 33  # columns of code that the smallest phones show


def visit_literal_block(translator: HTML5Translator, node: nodes.literal_block) -> None:
    """Write a block of code, which ends the visit by `SkipNode`."""
    try:
        HTML5Translator.visit_literal_block(translator, node)
    finally:
        if max(map(len, node.astext().splitlines()), default=0) > NARROW:
            translator.body[-1] = translator.body[-1].replace("<pre>", '<pre tabindex="0">', 1)


def write_wide_code(app: Sphinx) -> None:
    """Mark wide code on the site; an e-book does not scroll."""
    if app.builder.name == "html":
        app.add_node(
            nodes.literal_block,
            override=True,
            html=(visit_literal_block, HTML5Translator.depart_literal_block),
        )


def setup_wide_code(app: Sphinx) -> None:
    """Connect the handler."""
    app.connect("builder-inited", write_wide_code)
