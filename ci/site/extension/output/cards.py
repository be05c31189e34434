"""The cards that other sites show for a page, drawn on any machine alike: in fonts that come with a package.

A text with a character that none of them has gives way to the English. One too long for a line is cut, also where a
language has no spaces.
"""

import importlib.util
import re
import unicodedata
from pathlib import Path

from matplotlib import font_manager
from sphinxext.opengraph import _social_cards

PACKAGE = "koreanize_matplotlib"  # only its fonts are used
# Columns, of which a character of East Asia takes two, and lines that fit.
SITE, TITLE, DESCRIPTION = (60, 1), (26, 3), (84, 4)
UNIT = re.compile(r"[^\s\u2e80-\uffff]+\s*|.")  # what stays on one line: words, and single characters of East Asia
NOT_FIRST = "、。，．：；！？）」』ーぁぃぅぇぉっゃゅょァィゥェォッャュョ"  # what no line begins with
HEADING = re.compile(r"^# (.+)$", re.MULTILINE)


class Lines:
    """A text of the card, written only with characters that its fonts have, in lines that fit.

    Attributes:
      text: of Matplotlib.
      size: (columns, lines).
      english: what is written instead of a text that cannot be.
    """

    def __init__(self, text, size):
        self.text, self.size, self.english = text, size, ""
        self.known = {code for path in font_files(text.get_fontproperties()) for code in charmap(path)}

    def set_text(self, text):
        writable = self.known.issuperset(map(ord, text.replace("\n", "")))
        self.text.set_text(fitted(text if writable else self.english, *self.size))


def font_files(properties):
    """Yields the file of each family of some properties, in whose order Matplotlib looks for a character."""
    for family in properties.get_family():
        one = properties.copy()
        one.set_family(family)
        yield font_manager.findfont(one)


def charmap(path):
    return font_manager.get_font(path).get_charmap()


def width(text):
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def fitted(text, columns, lines):
    """Cuts a text into lines, and off after so many. Where spaces suffice, Matplotlib does it, by the pixel."""
    if all(width(word) <= columns for word in text.split()):
        return text
    rows = [""]
    for unit in UNIT.findall(text):
        if width(rows[-1] + unit.rstrip()) > columns and unit not in NOT_FIRST:
            rows.append("")
        rows[-1] += unit
    return "\n".join(map(str.rstrip, rows[:lines])) + "…" * (len(rows) > lines)


def add_fonts(app, config):
    folder = Path(importlib.util.find_spec(PACKAGE).origin).parent
    for path in sorted(folder.glob("fonts/*.ttf")):
        font_manager.fontManager.addfont(path)


def card(app):
    """What sphinxext-opengraph draws into, made once: (figure, site, title, description, address)."""
    options = app.config.ogp_social_cards
    logo = Path(app.srcdir) / options["image_mini"]
    figure, site, title, description, address = _social_cards.create_social_card_objects(
        image_mini=logo, font=options["font"]
    )
    return figure, Lines(site, SITE), Lines(title, TITLE), Lines(description, DESCRIPTION), address


def prepare_card(app, pagename, templatename, context, doctree):
    if doctree and app.builder.name == "html" and "ogp_social_cards" in app.config:
        if not hasattr(app.env, "ogp_social_card_plt_objects"):
            app.env.ogp_social_card_plt_objects = card(app)
        _figure, _site, title, *_rest = app.env.ogp_social_card_plt_objects
        heading = HEADING.search(app.book.source(pagename).read_text(encoding="utf-8"))
        title.english = heading[1] if heading else ""


def setup_cards(app):
    app.connect("config-inited", add_fonts)
    app.connect("html-page-context", prepare_card, priority=400)  # before the card is drawn
