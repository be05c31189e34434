"""The Markdown of the book."""

from functools import cache

from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

MYST_EXTENSIONS = {"dollarmath"}  # as in _config.yml; a test compares them


@cache
def parser():
    """The parser with which the site is built; it keeps nothing of what it parses."""
    return create_md_parser(MdParserConfig(enable_extensions=MYST_EXTENSIONS), RendererHTML)
