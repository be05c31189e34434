"""The cards that other sites show for a page, drawn in fonts that come with a package, so on any machine alike.

A text with a character that no font has is replaced by the English. A text too long for a line is cut, also in a
language without spaces.
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
from sphinxext.opengraph import _social_cards  # its own objects to draw into; it has no public ones

from ci.site.extension import priorities
from ci.site.extension.application import BookApp

PACKAGE = "koreanize_matplotlib"  # only its fonts are used
# Columns, of which a character of East Asia takes two, and lines that fit.
SITE, TITLE, DESCRIPTION = (60, 1), (26, 3), (84, 4)
OBJECTS = "ogp_social_card_plt_objects"  # where sphinxext-opengraph keeps what it draws into
HEADING = re.compile(r"^# (.+)$", re.MULTILINE)


class Lines:
    """A text of the card, written only with characters that its fonts have, in the columns and lines that fit."""

    def __init__(self, text: Text, size: tuple[int, int]) -> None:
        self.text, self.size = text, size
        self.english = ""  # what is written instead of a text with other characters
        fonts = map(font_manager.get_font, _font_files(text.get_fontproperties()))
        self.known = {code for font in fonts for code in font.get_charmap()}

    def set_text(self, text: str) -> None:
        """Write a text; sphinxext-opengraph calls this as it would call Matplotlib."""
        writable = self.known.issuperset(map(ord, text.replace("\n", "")))
        self.text.set_text(fitted(text if writable else self.english, *self.size))


def _font_files(properties: FontProperties) -> Iterator[str]:
    """Yield the file of each font family, in the order in which Matplotlib looks for a character."""
    for family in properties.get_family():
        single = properties.copy()
        single.set_family(family)
        yield font_manager.findfont(single)


def fitted(text: str, columns: int, lines: int) -> str:
    """Return a text cut into lines, and off after the last; Matplotlib breaks one with enough spaces by itself."""
    if all(cell_len(word) <= columns for word in text.split()):
        return text
    rows = [row.plain.rstrip() for row in Wrapped(text).wrap(Console(), columns)]
    return "\n".join(rows[:lines]) + "…" * (len(rows) > lines)


def add_fonts(_app: Sphinx | None = None, _config: Config | None = None) -> None:
    """Tell Matplotlib of the fonts."""
    package = importlib.util.find_spec(PACKAGE)
    if package and package.origin:
        for path in sorted(Path(package.origin).parent.glob("fonts/*.ttf")):
            font_manager.fontManager.addfont(path)


def _card(app: BookApp) -> tuple[Figure, Lines, Lines, Lines, Text]:
    """Return what sphinxext-opengraph draws into: the figure, and its site, title, description and address."""
    options = app.config.ogp_social_cards
    logo = Path(app.srcdir) / options["image_mini"]
    figure, site, title, description, address = _social_cards.create_social_card_objects(
        image_mini=logo, font=options["font"]
    )
    return figure, Lines(site, SITE), Lines(title, TITLE), Lines(description, DESCRIPTION), address


def _prepare_card(
    app: BookApp, page: str, _template: str, _context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Tell the card the English title of a page."""
    if doctree and app.builder.name == "html" and "ogp_social_cards" in app.config:
        objects = getattr(app.env, OBJECTS, None) or _card(app)
        setattr(app.env, OBJECTS, objects)  # for sphinxext-opengraph
        heading = HEADING.search(app.book.source(page).read_text(encoding="utf-8"))
        objects[2].english = heading[1] if heading else ""


def setup(app: BookApp) -> None:
    """Prepare the cards."""
    app.connect("config-inited", add_fonts)
    app.connect("html-page-context", _prepare_card, priority=priorities.PREPARE_CARD)
