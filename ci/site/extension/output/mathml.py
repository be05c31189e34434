"""Writes formulas as MathML, which browsers and readers of EPUB show without any script."""

import re
from html import unescape

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.errors import ExtensionError

ENTITY = re.compile(r"&(?!lt;|gt;|amp;)\w+;")  # a name that XML does not know


def convert(translator, tex, as_block):
    """Returns MathML.

    Raises:
      ExtensionError: a formula uses a command that cannot be converted.
    """
    try:
        return ENTITY.sub(lambda name: unescape(name[0]), tex2mathml(tex, as_block=as_block))
    except MathError as error:
        page = translator.builder.current_docname
        raise ExtensionError(f"{page}: the formula {tex!r} cannot be written as MathML: {error}") from error


def write_inline(translator, node):
    translator.body.append(f'<span class="math">{convert(translator, node.astext(), as_block=False)}</span>')
    raise nodes.SkipNode


def write_block(translator, node):
    formula = convert(translator, node.astext(), as_block=True)
    translator.body.append(f'<div class="math" tabindex="0">{formula}</div>')  # or no key could scroll a long one
    raise nodes.SkipNode


def setup_mathml(app):
    app.add_html_math_renderer("mathml", (write_inline, None), (write_block, None))
