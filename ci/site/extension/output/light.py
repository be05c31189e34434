"""Keeps a page small: no marks in code that no style colours, figures of few bytes, only the styles it needs."""

import re
import shutil
from functools import cache
from pathlib import Path
from zlib import crc32

import furo
from docutils import nodes
from PIL import Image
from pygments.styles import get_style_by_name
from pygments.token import Name, Operator, Text
from sphinx.environment import CONFIG_OK
from sphinx.highlighting import PygmentsBridge
from sphinx.writers.html5 import HTML5Translator

from ci.book import files, languages
from ci.site.extension.api_links import LinkingFormatter
from ci.site.extension.output.night import is_figure, with_night, with_palette

OURS = Path(__file__).parents[2] / "theme" / "static" / "book.css"
# Where the theme folds the contents of a page away, and where it should, so that two columns of code have room.
FOLDS, SHOULD_FOLD = "(max-width:82em)", "(max-width:87.5em)"
COMMENT = re.compile(r"\s*/\*.*?\*/\s*", re.DOTALL)


# The colours of accessible-pygments, but without operators and built-in names: they are the most frequent of all, and
# to colour every `=` and every `print` tells a reader least.
DAY = get_style_by_name("a11y-high-contrast-light")
NIGHT = get_style_by_name("a11y-high-contrast-dark")


class Day(DAY):
    background_color = "#f6f7f9"
    highlight_color = "#e3effd"
    styles = {**DAY.styles, Operator: "#080808", Name.Builtin: "#080808", Name.Builtin.Pseudo: "#080808"}


class Night(NIGHT):
    highlight_color = "#1d3048"
    styles = {**NIGHT.styles, Operator: "#f8f8f2", Name.Builtin: "#f8f8f2", Name.Builtin.Pseudo: "#f8f8f2"}


def look(style, token):
    """How a style shows a type of code; one that it does not name looks as the type above it."""
    try:
        return style.style_for_token(token)
    except KeyError:
        return look(style, token.parent)


def same_looks(styles):
    """Returns a function that gives the most general type of code that looks like a given one in all these styles."""

    def looks(token):
        return [look(style, token) for style in styles]

    @cache
    def general(token):
        if looks(token) == looks(Text):
            return Text
        parent = token.parent
        return general(parent) if parent and looks(parent) == looks(token) else token

    return general


def light_formatter(styles):
    """A Pygments formatter that marks only what one of these styles colours, and as little of it as possible."""
    general = same_looks(styles)

    class LightFormatter(LinkingFormatter):
        def _get_css_class(self, ttype):
            token = general(ttype)
            return "" if token is Text else super()._get_css_class(token)

    return LightFormatter


def use_light_formatter(app):
    bridges = [app.builder.highlighter, PygmentsBridge("html", app.config.pygments_dark_style)]
    PygmentsBridge.html_formatter = light_formatter([bridge.formatter_args["style"] for bridge in bridges])
    app.builder.highlighter.formatter = PygmentsBridge.html_formatter


def visit_image(translator, node):
    """Writes the size of an image, so that the page does not jump when it arrives, and lets it wait for the text."""
    path = Path(translator.builder.srcdir) / node["uri"].lstrip("/")
    has_night = path.suffix == ".png" and is_figure(node)
    if has_night:
        node["classes"].append("only-light")
    HTML5Translator.visit_image(translator, node)
    if path.suffix == ".png":
        with Image.open(path) as image:
            size = f'width="{image.width}" height="{image.height}" loading="lazy"'
        translator.body[-1] = translator.body[-1].replace("<img ", f"<img {size} ", 1)
    if has_night:
        translator.body[-1] = with_night(translator.body[-1], path.name)


def depart_image(translator, node):
    HTML5Translator.depart_image(translator, node)


def shrink(path):
    """Writes a PNG with a palette, if that makes it smaller. One that has a palette or is transparent stays."""
    with Image.open(path) as image:
        if image.mode == "P" or image.convert("RGBA").getextrema()[3] != (255, 255):
            return
        small = with_palette(image.convert("RGB"))
    if len(small) < path.stat().st_size:
        files.write_all({path: small})


def shrink_figures(app, error):
    if error is None:
        for path in Path(app.outdir, "_images").glob("*.png"):
            shrink(path)


def theme_rules():
    rules = (furo.THEME_PATH / "static" / "styles" / "furo.css").read_text(encoding="utf-8")
    return rules.replace(FOLDS, SHOULD_FOLD)


@cache
def stylesheet():
    """All that a page needs to look right: the theme's rules, the colours of code, and ours, in one file."""
    rules = [
        theme_rules(),
        furo.get_pygments_stylesheet(),
        *(path.read_text(encoding="utf-8") for path in (OURS, *languages.styles())),
    ]
    return COMMENT.sub("", "\n".join(rules))


def write_stylesheet(app):
    path = Path(app.outdir, "_static", "site.css")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(stylesheet(), encoding="utf-8")


def name_stylesheet(app, pagename, templatename, context, doctree):
    """Lets a page ask for that one file, by a name that changes with its content."""
    context["styles"] = f"_static/site.css?v={crc32(stylesheet().encode()):08x}"


def forget_static(app):
    """Removes what an older theme has left, once all pages are rendered again: only then Sphinx surely copies ours."""
    if app.env.config_status != CONFIG_OK:
        shutil.rmtree(Path(app.outdir, "_static"), ignore_errors=True)


def begin(app):
    """All of this is for the site; an e-book is read from its one file."""
    if app.builder.name == "html":
        use_light_formatter(app)
        write_stylesheet(app)
        app.add_node(nodes.image, override=True, html=(visit_image, depart_image))
        app.connect("html-page-context", name_stylesheet)
        app.connect("build-finished", shrink_figures)


def setup_light(app):
    app.connect("builder-inited", forget_static, priority=100)  # before others put something there
    app.connect("builder-inited", begin, priority=900)  # after the theme
