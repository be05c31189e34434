"""The parser for the dialect of Markdown in which the book is written."""

from functools import cache

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

MYST_EXTENSIONS = {"dollarmath"}  # as in _config.yml; a test compares them


@cache
def parser() -> MarkdownIt:
    """Return a parser with the settings of the site; it can be shared, since it keeps no state between documents."""
    return create_md_parser(MdParserConfig(enable_extensions=MYST_EXTENSIONS), RendererHTML)
