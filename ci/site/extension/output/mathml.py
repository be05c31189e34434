"""Write formulas as MathML, which browsers and EPUB readers show without JavaScript."""

import re
from html import escape, unescape
from typing import NoReturn

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from ci.book import BookError
from ci.site.extension.application import errors_as_sphinx_says_them

ENTITY = re.compile(r"&(?!lt;|gt;|amp;)\w+;")  # a named HTML entity that XML does not define


def convert(page: str, tex: str, *, as_block: bool) -> str:
    """Convert a TeX formula to MathML with the formula as alternative text; raise BookError for an unknown command."""
    try:
        formula = ENTITY.sub(lambda name: unescape(name[0]), tex2mathml(tex, as_block=as_block))
    except MathError as error:
        what = f"cannot be written as MathML ({error}): use other commands"
        raise BookError(f"{page}: the formula {tex!r} {what}") from error
    return formula.replace("<math ", f'<math alttext="{escape(tex)}" ', 1)


def _write(translator: HTML5Translator, node: nodes.math | nodes.math_block) -> NoReturn:
    """Write a formula; a displayed one is focusable, so that the keyboard can scroll a wide one."""
    as_block = isinstance(node, nodes.math_block)
    with errors_as_sphinx_says_them():
        formula = convert(translator.builder.current_docname, node.astext(), as_block=as_block)
    element = '<div class="math" tabindex="0">{}</div>' if as_block else '<span class="math">{}</span>'
    translator.body.append(element.format(formula))
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register the math renderer "mathml"."""
    app.add_html_math_renderer("mathml", (_write, None), (_write, None))
