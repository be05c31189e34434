"""Lets the cards that other sites show for a page be drawn in fonts that come with a package, on any machine."""

import importlib.util
from pathlib import Path

from matplotlib import font_manager

PACKAGE = "koreanize_matplotlib"  # only its fonts are used


def add_fonts(app, config):
    folder = Path(importlib.util.find_spec(PACKAGE).origin).parent
    for path in sorted(folder.glob("fonts/*.ttf")):
        font_manager.fontManager.addfont(path)


def setup_cards(app):
    app.connect("config-inited", add_fonts)
