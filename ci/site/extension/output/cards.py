"""Social cards: the preview pictures that other sites show for a link to a page, drawn by sphinxext-opengraph.

They use the fonts of a package, so that they look the same on every machine. A text with a character that none of the
fonts has is replaced by the English text. A long text is wrapped and cut, also in a language without spaces.
"""

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text as Wrapped
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinxext.opengraph import _social_cards  # no public API has its Matplotlib objects

from ci.site.extension import priorities
from ci.site.extension.application import BookApp

PACKAGE = "koreanize_matplotlib"  # only its fonts are used
# The (columns, lines) that fit. An East Asian character takes two columns.
SITE, TITLE, DESCRIPTION = (60, 1), (26, 3), (84, 4)
OBJECTS = "ogp_social_card_plt_objects"  # where sphinxext-opengraph stores the objects of a card
HEADING = re.compile(r"^# (.+)$", re.MULTILINE)


class Lines:
    """A stand-in for a Matplotlib text of the card: it cuts what is set, and replaces text that the fonts lack."""

    def __init__(self, text: Text, size: tuple[int, int]) -> None:
        self.text, self.size = text, size
        self.english = ""  # replaces a text with a character that the fonts lack
        fonts = map(font_manager.get_font, _font_files(text.get_fontproperties()))
        self.known = {code for font in fonts for code in font.get_charmap()}

    def set_text(self, text: str) -> None:
        """Set the text, cut to fit; use the English text if the fonts lack a character.

        Replaces `matplotlib.text.Text.set_text`, which sphinxext-opengraph calls.
        """
        writable = self.known.issuperset(map(ord, text.replace("\n", "")))
        self.text.set_text(fitted(text if writable else self.english, *self.size))


def _font_files(properties: FontProperties) -> Iterator[str]:
    """Yield the path of each font family, in the order in which Matplotlib searches them for a character."""
    for family in properties.get_family():
        single = properties.copy()
        single.set_family(family)
        yield font_manager.findfont(single)


def fitted(text: str, columns: int, lines: int) -> str:
    """Return a text wrapped at a number of columns and cut after a number of lines.

    A text in which every word fits into the columns is returned unchanged: Matplotlib wraps it at its spaces.
    """
    if all(cell_len(word) <= columns for word in text.split()):
        return text
    rows = [row.plain.rstrip() for row in Wrapped(text).wrap(Console(), columns)]
    return "\n".join(rows[:lines]) + "…" * (len(rows) > lines)


def add_fonts(_app: Sphinx | None = None, _config: Config | None = None) -> None:
    """Register the fonts of the package with Matplotlib."""
    package = importlib.util.find_spec(PACKAGE)
    if package and package.origin:
        for path in sorted(Path(package.origin).parent.glob("fonts/*.ttf")):
            font_manager.fontManager.addfont(path)


def _card(app: BookApp) -> tuple[Figure, Lines, Lines, Lines, Text]:
    """Return the objects of a card for sphinxext-opengraph: figure, site name, title, description and URL."""
    options = app.config.ogp_social_cards or {}
    logo = Path(app.srcdir) / options["image_mini"] if "image_mini" in options else None
    figure, site, title, description, address = _social_cards.create_social_card_objects(
        image_mini=logo, font=options.get("font", "DejaVu Sans")
    )
    return figure, Lines(site, SITE), Lines(title, TITLE), Lines(description, DESCRIPTION), address


def _prepare_card(
    app: BookApp, page: str, _template: str, _context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Store the English title of a page in the title object of the card, in HTML builds only."""
    if doctree and app.builder.name == "html" and "ogp_social_cards" in app.config:
        objects = getattr(app.env, OBJECTS, None) or _card(app)
        setattr(app.env, OBJECTS, objects)  # sphinxext-opengraph reads it from there
        heading = HEADING.search(app.book.source(page).read_text(encoding="utf-8"))
        objects[2].english = heading[1] if heading else ""


def setup(app: BookApp) -> None:
    """Connect the handlers."""
    app.connect("config-inited", add_fonts)
    app.connect("html-page-context", _prepare_card, priority=priorities.PREPARE_CARD)
