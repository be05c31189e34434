"""The Pygments styles of code, and the stylesheet of the site: all rules in one file."""

import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import furo
from docutils import nodes
from pygments.style import Style
from pygments.styles import get_style_by_name
from pygments.token import Name, Operator
from sphinx.application import Sphinx
from sphinx.environment import CONFIG_OK

from ci.book import languages
from ci.site.extension import priorities
from ci.site.extension.output.figures import IMAGES

PAGES = "book"  # the folder of the pages
OURS = Path(__file__).parents[2] / "theme" / "static" / "book.css"
# The media query below which Furo hides the page's table of contents, and its replacement: hidden on wider windows, so
# that two columns of code fit.
FOLDS, SHOULD_FOLD = "(max-width:82em)", "(max-width:87.5em)"
COMMENT = re.compile(r"\s*/\*.*?\*/\s*", re.DOTALL)

# The styles of accessible-pygments. The classes below use them with plain operators and built-in names: these are the
# most frequent tokens, and colouring every `=` and `print` helps a reader least.
DAY = get_style_by_name("a11y-high-contrast-light")
NIGHT = get_style_by_name("a11y-high-contrast-dark")


def _without_colour(style: type[Style], plain: str) -> dict[Any, str]:
    """Return the token styles of a Pygments style, with operators and built-in names in the colour of plain code."""
    return {**style.styles, **dict.fromkeys([Operator, Name.Builtin, Name.Builtin.Pseudo], plain)}


class Day(Style):
    """The Pygments style of the light theme."""

    background_color = "#f6f7f9"
    highlight_color = "#e3effd"
    styles = _without_colour(DAY, "#080808")


class Night(Style):
    """The Pygments style of the dark theme."""

    background_color = NIGHT.background_color
    highlight_color = "#1d3048"
    styles = _without_colour(NIGHT, "#f8f8f2")


def theme_rules() -> str:
    """Return Furo's rules, changed to hide the table of contents when two columns of code need the space."""
    rules = (furo.THEME_PATH / "static" / "styles" / "furo.css").read_text(encoding="utf-8")
    return rules.replace(FOLDS, SHOULD_FOLD)


def rules(of_code: str = "") -> str:
    """Return the rules of Furo and of the book, and those for code between them, without comments."""
    own = (path.read_text(encoding="utf-8") for path in (OURS, *languages.styles()))
    return COMMENT.sub("", "\n".join([theme_rules(), of_code, *own]))


@cache
def _stylesheet() -> str:
    """Return the stylesheet of the site."""
    return rules(furo.get_pygments_stylesheet())


def _remove_old_files(app: Sphinx) -> None:
    """Before all pages are rendered again, delete those of the last build, their pictures and the static files."""
    if app.env.config_status != CONFIG_OK:
        for folder in (PAGES, "_static", IMAGES):
            shutil.rmtree(Path(app.outdir, folder), ignore_errors=True)


def _set_night_style(app: Sphinx) -> None:
    """Set the style of code in the dark theme; Furo registers this setting too late for one in `_config.yml`."""
    app.config.pygments_dark_style = f"{__name__}.{Night.__name__}"


def _write_stylesheet(app: Sphinx) -> None:
    """Write the stylesheet, in HTML builds only: an EPUB has a different one."""
    if app.builder.name == "html":
        path = Path(app.outdir, "_static", "site.css")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_stylesheet(), encoding="utf-8")


def _name_stylesheet(
    app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Set the URL of the stylesheet for the template, with a checksum, so that browsers reload a changed file."""
    if app.builder.name == "html":
        context["styles"] = f"_static/site.css?v={crc32(_stylesheet().encode()):08x}"


def setup(app: Sphinx) -> None:
    """Connect the handlers."""
    app.connect("builder-inited", _remove_old_files, priority=priorities.REMOVE_STATIC_FILES)
    app.connect("builder-inited", _set_night_style, priority=priorities.CHOOSE_STYLES)
    app.connect("builder-inited", _write_stylesheet, priority=priorities.WRITE_STYLES)
    app.connect("html-page-context", _name_stylesheet)
